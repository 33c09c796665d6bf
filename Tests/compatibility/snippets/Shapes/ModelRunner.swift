import LeapSDK

final class Mock_ModelRunner: ModelRunner {
  func createConversation(systemPrompt: String?) -> Conversation {
    Conversation(modelRunner: self, history: [])
  }
  func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
    Conversation(modelRunner: self, history: history)
  }
  func generateResponse(
    conversation: Conversation,
    generationOptions: GenerationOptions?,
    onResponseCallback: @escaping (MessageResponse) -> Void,
    onErrorCallback: ((LeapError) -> Void)?
  ) -> GenerationHandler {
    struct Handler: GenerationHandler { func stop() {} }
    return Handler()
  }
  func unload() async {}
  var modelId: String { "mock" }
}

func check_ModelRunner(_ runner: any ModelRunner) {
  let _: (String?) -> Conversation = runner.createConversation(systemPrompt:)
  let _: ([ChatMessage]) -> Conversation = runner.createConversationFromHistory(history:)
  let _: String = runner.modelId
}
