/// Delivers events to a callback on the main actor, in order, without making the sender wait.
struct MainActorDelivery<Event: Sendable>: Sendable {
  private let continuation: AsyncStream<Event>.Continuation

  init(_ receive: @escaping @MainActor @Sendable (Event) -> Void) {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    self.continuation = continuation
    Task { @MainActor in
      for await event in stream { receive(event) }
    }
  }

  func send(_ event: Event, isLast: Bool = false) {
    continuation.yield(event)
    if isLast { continuation.finish() }
  }

  func finish() { continuation.finish() }
}
