import LeapSDK

func check_ChatMessage() throws {
  let _: WritableKeyPath<ChatMessage, ChatMessageRole> = \.role
  let _: WritableKeyPath<ChatMessage, [ChatMessageContent]> = \.content
  let _: WritableKeyPath<ChatMessage, String?> = \.reasoningContent
  let _: WritableKeyPath<ChatMessage, [LeapFunctionCall]?> = \.functionCalls
  _ = ChatMessage(role: .user, content: [], reasoningContent: nil, functionCalls: nil)
  let _: ([String: Any]) throws -> ChatMessage = ChatMessage.init(from:)
  let _: any Codable.Type = ChatMessage.self
}
