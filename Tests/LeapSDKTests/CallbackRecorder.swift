import LeapSDK

/// Collects what a callback gets and lets a test wait for it.
final class CallbackRecorder: Sendable {
  private let stream: AsyncStream<MessageResponse>
  private let continuation: AsyncStream<MessageResponse>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func record(_ response: MessageResponse) {
    continuation.yield(response)
    if case .complete = response { continuation.finish() }
  }

  /// The events up to and including `.complete`.
  func summaries() async -> [String] {
    var result: [String] = []
    for await response in stream { result.append(response.summary) }
    return result
  }
}
