import Foundation
import Synchronization

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
    let failure = Mutex<Failure?>(nil)
    let isReady = DispatchSemaphore(value: 0)
    let box = SharedBox(failure)
    let thread = Thread {
      let state: State
      do throws(Failure) {
        state = try makeState()
      } catch {
        box.value.withLock { $0 = error }
        isReady.signal()
        return
      }
      isReady.signal()
      queue.run(on: state)
    }
    thread.name = name
    thread.stackSize = 4 << 20
    thread.start()
    isReady.wait()
    if let error = box.value.withLock({ $0 }) { throw error }
  }

  /// Queues a job; false once the thread is closed.
  func submit(_ job: @escaping Job) -> Bool { queue.add(job) }

  /// Takes no more jobs. When the queued ones are done and the state is freed, `completion` is
  /// called.
  func close(completion: (@Sendable () -> Void)? = nil) { queue.close(completion) }

  deinit { queue.close(nil) }
}

private final class JobQueue<State>: Sendable {
  private struct Contents {
    var jobs: [@Sendable (inout State) -> Void] = []
    var isClosed = false
    var isDone = false
    var completions: [@Sendable () -> Void] = []
  }

  private let contents = Mutex(Contents())
  private let changes = DispatchSemaphore(value: 0)

  func add(_ job: @escaping @Sendable (inout State) -> Void) -> Bool {
    let isAccepted = contents.withLock { contents in
      if contents.isClosed { return false }
      contents.jobs.append(job)
      return true
    }
    if isAccepted { changes.signal() }
    return isAccepted
  }

  func close(_ completion: (@Sendable () -> Void)?) {
    let isDone = contents.withLock { contents in
      contents.isClosed = true
      if let completion, !contents.isDone { contents.completions.append(completion) }
      return contents.isDone
    }
    if isDone { completion?() } else { changes.signal() }
  }

  /// Runs jobs until the queue is closed and empty.
  func run(on initial: consuming State) {
    do {
      var state = initial
      while let job = next() { job(&state) }
    }
    let completions = contents.withLock { contents in
      contents.isDone = true
      return contents.completions
    }
    for completion in completions { completion() }
  }

  private func next() -> (@Sendable (inout State) -> Void)? {
    while true {
      changes.wait()
      let (job, isClosed) = contents.withLock { contents in
        (contents.jobs.isEmpty ? nil : contents.jobs.removeFirst(), contents.isClosed)
      }
      if job != nil || isClosed { return job }
    }
  }
}
