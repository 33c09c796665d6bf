import LeapSDK

/// A client's mock, written against the public protocol alone: answers each generation with the
/// next list of responses.
final class ScriptRunner: ModelRunner {
  private var script: [[MessageResponse]]
  /// The histories that were asked about.
  private(set) var seen: [[ChatMessage]] = []
  private(set) var isUnloaded = false

  init(_ script: [[MessageResponse]]) {
    self.script = script
  }

  var modelId: String { "script" }

  func createConversation(systemPrompt: String?) -> Conversation {
    let system = systemPrompt.map { [ChatMessage(role: .system, content: [.text($0)])] }
    return Conversation(modelRunner: self, history: system ?? [])
  }

  func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
    Conversation(modelRunner: self, history: history)
  }

  func generateResponse(
    conversation: Conversation, generationOptions: GenerationOptions?,
    onResponseCallback: @escaping (MessageResponse) -> Void,
    onErrorCallback: ((LeapError) -> Void)?
  ) -> GenerationHandler {
    seen.append(conversation.history)
    if script.isEmpty {
      onErrorCallback?(.generationFailure("The script is at its end.", nil))
    } else {
      for response in script.removeFirst() { onResponseCallback(response) }
    }
    return NoHandler()
  }

  func unload() async { isUnloaded = true }

  private struct NoHandler: GenerationHandler {
    func stop() {}
  }
}

extension MessageResponse {
  static func completed(
    _ text: String, calls: [LeapFunctionCall]? = nil, reason: GenerationFinishReason = .stop
  ) -> MessageResponse {
    .complete(
      MessageCompletion(
        message: ChatMessage(role: .assistant, content: [.text(text)], functionCalls: calls),
        finishReason: reason,
        stats: GenerationStats(
          promptTokens: 10, completionTokens: 5, totalTokens: 15, tokenPerSecond: 20)))
  }
}
