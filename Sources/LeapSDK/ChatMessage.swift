import JSON

/// Who speaks in a message.
public enum ChatMessageRole: String, Codable, Sendable, Hashable {
  case user, system, assistant, tool
}

/// One turn of a conversation.
public struct ChatMessage: Sendable {
  public var role: ChatMessageRole
  public var content: [ChatMessageContent]
  /// What the model thought before it answered; never sent back to it.
  public var reasoningContent: String?
  /// The calls an assistant message asks for.
  public var functionCalls: [LeapFunctionCall]?
  /// The id of the call that an imported tool message answers; no part of the value.
  var toolCallID: String?

  public init(
    role: ChatMessageRole, content: [ChatMessageContent], reasoningContent: String? = nil,
    functionCalls: [LeapFunctionCall]? = nil
  ) {
    self.role = role
    self.content = content
    self.reasoningContent = reasoningContent
    self.functionCalls = functionCalls
  }

  /// The text parts, joined.
  var text: String {
    content.reduce(into: "") { text, part in
      if case .text(let piece) = part { text += piece }
    }
  }
}

extension ChatMessage: Equatable {
  public static func == (lhs: ChatMessage, rhs: ChatMessage) -> Bool {
    lhs.role == rhs.role && lhs.content == rhs.content
      && lhs.reasoningContent == rhs.reasoningContent && lhs.functionCalls == rhs.functionCalls
  }
}
