import Foundation

/// A thread that owns a state and runs jobs on it, one after another. Compute-bound work belongs
/// here and not on the cooperative pool, which has a thread per core and must never block.
final class SerialThread<State>: Sendable {
  typealias Job = @Sendable (inout State) -> Void

  private let queue = JobQueue<State>()

  /// Starts the thread and waits until its state is made there. The state never leaves the thread.
  init<Failure: Error>(
    name: String, makeState: @escaping @Sendable () throws(Failure) -> State
  ) throws(Failure) {
    let queue = queue
    let failure = Locked<Failure?>(nil)
    let isReady = DispatchSemaphore(value: 0)
    let thread = Thread {
      do throws(Failure) {
        try queue.run(makeState) { isReady.signal() }
      } catch {
        failure.withLock { $0 = error }
        isReady.signal()
        return
      }
      queue.finish()
    }
    thread.name = name
    thread.stackSize = 4 << 20
    thread.start()
    isReady.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Queues a job; false once the thread is closed.
  func submit(_ job: @escaping Job) -> Bool { queue.add(job) }

  /// Takes no more jobs. When the queued ones are done and the state is freed, `completion` is
  /// called.
  func close(completion: (@Sendable () -> Void)? = nil) { queue.close(completion) }

  deinit { queue.close(nil) }
}

/// Jobs on their way to a thread.
private final class JobQueue<State>: @unchecked Sendable {
  // Unchecked: everything below is read and written only while `condition` is locked.
  private let condition = NSCondition()
  private var jobs: [@Sendable (inout State) -> Void] = []
  private var isClosed = false
  private var isDone = false
  private var completions: [@Sendable () -> Void] = []

  func add(_ job: @escaping @Sendable (inout State) -> Void) -> Bool {
    condition.withLock {
      if isClosed { return false }
      jobs.append(job)
      condition.signal()
      return true
    }
  }

  func close(_ completion: (@Sendable () -> Void)?) {
    let wasDone = condition.withLock {
      isClosed = true
      if let completion, !isDone { completions.append(completion) }
      condition.signal()
      return isDone
    }
    if wasDone { completion?() }
  }

  /// Makes the state and runs jobs on it until the queue is closed and empty. The state is freed
  /// on return.
  func run<Failure: Error>(
    _ makeState: () throws(Failure) -> State, onReady: () -> Void
  ) throws(Failure) {
    var state = try makeState()
    onReady()
    while let job = next() { job(&state) }
  }

  /// Reports the end to all that wait for it.
  func finish() {
    let waiting = condition.withLock {
      isDone = true
      return completions
    }
    for completion in waiting { completion() }
  }

  private func next() -> (@Sendable (inout State) -> Void)? {
    condition.withLock {
      while jobs.isEmpty, !isClosed { condition.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}
