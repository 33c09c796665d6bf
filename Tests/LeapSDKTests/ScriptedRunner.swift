import Generation

@testable import LeapSDK

/// A runner whose events the test sends itself. Written against the public protocol only, as an
/// app's mock would be.
class ScriptedRunner: ModelRunner, @unchecked Sendable {
  // Unchecked: all it holds lies behind a lock.

  /// Over the public protocol, and over the library's own direct path.
  static let kinds: [@Sendable () -> ScriptedRunner] = [
    { ScriptedRunner() }, { DirectScriptedRunner() },
  ]

  /// One generation that was asked for.
  final class Call: GenerationHandler {
    /// The history when the generation was asked for.
    let history: [ChatMessage]
    let options: GenerationOptions?
    private let onEvent: @Sendable (Result<MessageResponse, LeapError>) -> Void
    private let stopCount = Locked(0)

    init(
      _ history: [ChatMessage], _ options: GenerationOptions?,
      onEvent: @escaping @Sendable (Result<MessageResponse, LeapError>) -> Void
    ) {
      self.history = history
      self.options = options
      self.onEvent = onEvent
    }

    var stops: Int { stopCount.withLock { $0 } }
    func stop() { stopCount.withLock { $0 += 1 } }

    func send(_ response: MessageResponse) { onEvent(.success(response)) }
    func fail(_ error: LeapError) { onEvent(.failure(error)) }

    func complete(_ text: String, _ reason: GenerationFinishReason = .stop) {
      let message = ChatMessage(role: .assistant, content: [.text(text)])
      send(.complete(MessageCompletion(message: message, finishReason: reason)))
    }
  }

  private let made = Locked<[Call]>([])
  var calls: [Call] { made.withLock { $0 } }
  var modelId: String { "scripted" }

  func add(_ call: Call) { made.withLock { $0.append(call) } }

  func createConversation(systemPrompt: String?) -> Conversation {
    Conversation(modelRunner: self, history: [])
  }

  func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
    Conversation(modelRunner: self, history: history)
  }

  func generateResponse(
    conversation: Conversation, generationOptions: GenerationOptions?,
    onResponseCallback: @escaping @Sendable (MessageResponse) -> Void,
    onErrorCallback: (@Sendable (LeapError) -> Void)?
  ) -> any GenerationHandler {
    let call = Call(conversation.history, generationOptions) { event in
      switch event {
      case .success(let response): onResponseCallback(response)
      case .failure(let error): onErrorCallback?(error)
      }
    }
    add(call)
    return call
  }

  func unload() async {}
}

/// The same over the path that the library's own runner takes.
final class DirectScriptedRunner: ScriptedRunner, DirectModelRunner, @unchecked Sendable {
  func respond(
    to conversation: Conversation, options: GenerationOptions?,
    onEvent: @escaping @Sendable (Result<MessageResponse, LeapError>) -> Void
  ) -> any GenerationHandler {
    let call = Call(conversation.history, options, onEvent: onEvent)
    add(call)
    return call
  }
}

extension MessageResponse {
  /// The response in a word, for comparing orders of events.
  var summary: String {
    switch self {
    case .chunk(let text): "chunk \(text)"
    case .reasoningChunk(let text): "reasoning \(text)"
    case .audioSample(let samples, let rate): "audio \(samples.count) at \(rate)"
    case .functionCall(let calls): "calls \(calls.map(\.name).joined(separator: ","))"
    case .complete(let completion): "complete \(completion.message.text)"
    }
  }
}

extension AsyncSequence where Element == MessageResponse {
  func summaries() async throws -> [String] {
    var result: [String] = []
    for try await response in self { result.append(response.summary) }
    return result
  }
}

extension ChatMessage {
  static func user(_ text: String) -> ChatMessage {
    ChatMessage(role: .user, content: [.text(text)])
  }
  static func assistant(_ text: String) -> ChatMessage {
    ChatMessage(role: .assistant, content: [.text(text)])
  }
}
