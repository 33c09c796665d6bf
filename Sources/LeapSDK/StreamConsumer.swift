import Foundation
import Generation

/// Where the task that iterates a response stream is, so that a message sent right after that task
/// was cancelled can be told from one sent in the middle of an answer.
///
/// A cancelled task that waits for the next event ends its stream at once. One that is busy with an
/// event ends it only when it comes back: until then, nobody can know.
final class StreamConsumer: Sendable {
  private enum Place {
    case notStarted
    /// Waits for the next event.
    case waiting
    /// Busy with the last one.
    case away
    /// Will not come back.
    case gone
  }

  private struct State {
    var place = Place.notStarted
    /// Identifies the task that reads, once it has read something.
    var task: Int?
    var watchers: [UInt64: @Sendable (Bool) -> Void] = [:]
    /// Ends the generation whose events are read.
    var abandon: (@Sendable () -> Void)?
    var nextWatcher: UInt64 = 0
  }

  private let state = Locked(State())

  private static let momentToStart = DispatchTimeInterval.milliseconds(250)

  var isGone: Bool { state.withLock { $0.place == .gone } }

  func startWaiting() { move(to: .waiting) }
  func leave() {
    state.withLock { $0.task = Self.callingTask }
    move(to: .away)
  }
  func end() { move(to: .gone) }

  /// The reading task was cancelled.
  func cancel() {
    state.withLock { $0.abandon }?()
    end()
  }

  /// What ends the generation when the reading task is cancelled.
  func onCancel(_ abandon: @escaping @Sendable () -> Void) {
    state.withLock { if $0.place != .gone { $0.abandon = abandon } }
  }

  /// Only compared, never used as a task.
  private static var callingTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Tells once whether the task is gone rather than still reading; false if it is the caller, or
  /// stays busy with an event for longer than `patience`. A task that has not begun to read may
  /// have been cancelled on its way to the first event: it gets a moment to come there.
  func whenGone(
    within patience: DispatchTimeInterval, then report: @escaping @Sendable (Bool) -> Void
  ) {
    let caller = Self.callingTask
    let (isGone, watcher, wait): (Bool?, UInt64, DispatchTimeInterval) = state.withLock { state in
      switch state.place {
      case .gone: return (true, 0, patience)
      case .waiting: return (false, 0, patience)
      case .away where state.task == caller && caller != nil: return (false, 0, patience)
      case .notStarted, .away:
        state.nextWatcher += 1
        state.watchers[state.nextWatcher] = report
        let wait = state.place == .notStarted ? Self.momentToStart : patience
        return (nil, state.nextWatcher, wait)
      }
    }
    if let isGone { return report(isGone) }
    DispatchQueue.global().asyncAfter(deadline: .now() + wait) { [weak self] in
      self?.state.withLock { $0.watchers.removeValue(forKey: watcher) }?(false)
    }
  }

  private func move(to place: Place) {
    let watchers = state.withLock { state in
      if state.place == .gone { return [UInt64: @Sendable (Bool) -> Void]() }
      state.place = place
      if place == .gone { state.abandon = nil }
      return place == .away ? [:] : exchange(&state.watchers, with: [:])
    }
    for report in watchers.values { report(place == .gone) }
  }

  /// The same stream, watched by this object.
  func watch(
    _ stream: AsyncThrowingStream<MessageResponse, any Error>
  ) -> AsyncThrowingStream<MessageResponse, any Error> {
    let iteration = Iteration(stream, self)
    return AsyncThrowingStream { try await iteration.next() }
  }
}

/// One pass over a stream.
private final class Iteration: @unchecked Sendable {
  // Unchecked: `iterator` is set once and only read until nobody holds the object any more.
  private var iterator: AsyncThrowingStream<MessageResponse, any Error>.Iterator?
  private let consumer: StreamConsumer

  init(_ stream: AsyncThrowingStream<MessageResponse, any Error>, _ consumer: StreamConsumer) {
    iterator = stream.makeAsyncIterator()
    self.consumer = consumer
  }

  func next() async throws -> MessageResponse? {
    try await withTaskCancellationHandler {
      // From here to `leave` a cancellation is reported at once: who waits is not cancelled.
      consumer.startWaiting()
      defer { consumer.leave() }
      var iterator = iterator
      return try await iterator?.next()
    } onCancel: {
      consumer.cancel()
    }
  }

  deinit {
    // The stream's own end comes first: it takes the question back.
    iterator = nil
    consumer.end()
  }
}

/// Puts a new value in place and returns the old one.
private func exchange<Value>(_ place: inout Value, with new: Value) -> Value {
  defer { place = new }
  return place
}
