import LeapSDK

func check_Conversation(_ runner: any ModelRunner, _ message: ChatMessage) throws {
  let conversation = Conversation(modelRunner: runner, history: [message])
  let _: KeyPath<Conversation, any ModelRunner> = \.modelRunner
  let _: KeyPath<Conversation, [ChatMessage]> = \.history
  let _: KeyPath<Conversation, [LeapFunction]> = \.functions
  let _: KeyPath<Conversation, Bool> = \.isGenerating
  let _: (LeapFunction) -> Void = conversation.registerFunction(_:)
  let _: [[String: Any]] = try conversation.exportToJSON()
  let _: (ChatMessage, GenerationOptions?) -> AsyncThrowingStream<MessageResponse, Error> =
    conversation.generateResponse(message:generationOptions:)
  let _: (String, GenerationOptions?) -> AsyncThrowingStream<MessageResponse, Error> =
    conversation.generateResponse(userTextMessage:generationOptions:)
  let _: GenerationHandler? = conversation.generateResponse(
    message: message, generationOptions: nil, onResponse: { (_: MessageResponse) in })
  conversation.generateResponse(message: message) { _ in }
  let _: AnyObject = conversation
}
