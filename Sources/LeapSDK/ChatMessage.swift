import JSON

/// Who speaks in a message.
public enum ChatMessageRole: String, Codable, Sendable, Hashable {
  /// The person, or the program, that asks.
  case user
  /// Instructions for the whole conversation.
  case system
  /// The model.
  case assistant
  /// A function the model called.
  case tool
}

/// One turn of a conversation.
public struct ChatMessage: Sendable {
  /// Who speaks.
  public var role: ChatMessageRole
  /// The parts of the message, in order.
  public var content: [ChatMessageContent]
  /// What the model thought before it answered; never sent back to it.
  public var reasoningContent: String?
  /// The calls an assistant message asks for.
  public var functionCalls: [LeapFunctionCall]?
  /// The id of the call that an imported tool message answers; no part of the value.
  var toolCallID: String?

  /// A message of several parts.
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
