import Foundation

/// A loaded model. Its requirements are few, so that apps can write mocks of it; callable from
/// any thread.
public protocol ModelRunner {
  /// A conversation whose history starts with `systemPrompt`, or empty if it is nil.
  func createConversation(systemPrompt: String?) -> Conversation

  /// A conversation that goes on from `history`, taken as it is.
  func createConversationFromHistory(history: [ChatMessage]) -> Conversation

  /// Answers the conversation's last message. The history is only read: adding the answer is up
  /// to the caller (`Conversation.generateResponse` does so by itself). The callbacks are called
  /// in order on the main actor; the last call is `.complete` or the error.
  @preconcurrency
  func generateResponse(
    conversation: Conversation,
    generationOptions: GenerationOptions?,
    onResponseCallback: @escaping @Sendable (MessageResponse) -> Void,
    onErrorCallback: (@Sendable (LeapError) -> Void)?
  ) -> any GenerationHandler

  /// Stops what is being generated and frees the model. Conversations stay readable; generating
  /// throws from then on. Further calls do nothing.
  nonisolated(nonsending) func unload() async

  /// A name for logs: the file's name without its extension.
  var modelId: String { get }

  /// Length in tokens of the messages rendered with the model's chat template; 0 if the runner
  /// cannot tell.
  nonisolated(nonsending)
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int
}

extension ModelRunner {
  /// A conversation with the model's default system prompt.
  public func createConversation() -> Conversation { createConversation(systemPrompt: nil) }

  /// Goes on from what `Conversation.exportToJSON()` made. A history that cannot be read makes
  /// the first generation throw `serializationFailure`.
  @_disfavoredOverload
  public func createConversationFromHistory(history: [[String: Any]]) -> Conversation {
    do {
      return createConversationFromHistory(history: try history.map { try ChatMessage(from: $0) })
    } catch {
      let conversation = createConversationFromHistory(history: [ChatMessage]())
      conversation.historyProblem =
        error as? LeapError
        ?? .serializationFailure("The history cannot be read.", error)
      return conversation
    }
  }

  public nonisolated(nonsending)
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int
  { 0 }
}

/// A runner that delivers events on its own thread, without the detour over the main actor, so
/// that streams flow even while the main thread is busy.
protocol DirectModelRunner: ModelRunner {
  /// The last event is `.complete` or an error.
  func respond(
    to conversation: Conversation, options: GenerationOptions?,
    onEvent: @escaping @Sendable (Result<MessageResponse, LeapError>) -> Void
  ) -> any GenerationHandler
}
