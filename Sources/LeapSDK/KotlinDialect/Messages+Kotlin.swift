extension ChatMessage {
  /// The 0.10 spelling of `ChatMessageRole`.
  public typealias Role = ChatMessageRole

  /// A message of one part.
  public init(role: ChatMessageRole, content: ChatMessageContent) {
    self.init(role: role, content: [content])
  }

  /// A message of one text.
  public init(role: ChatMessageRole, textContent: String) {
    self.init(role: role, content: [.text(textContent)])
  }
}

/// `ChatMessage(role:content:)` under the bridge's name.
public func ChatMessage_withArray(
  role: ChatMessageRole, content: [ChatMessageContent]
) -> ChatMessage {
  ChatMessage(role: role, content: content)
}

extension ChatMessageContent {
  /// Makes image parts.
  public enum Image {
    /// An image from the bytes of a JPEG file.
    public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .image(data) }
  }

  /// Makes audio parts.
  public enum Audio {
    /// Audio from the bytes of a WAV file.
    public static func fromWAVData(_ data: Data) -> ChatMessageContent { .audio(data) }
  }
}

extension MessageCompletion {
  /// `message` under its Kotlin name.
  public var fullMessage: ChatMessage { message }
}

extension GenerationFinishReason {
  /// `exceed_context` under its Kotlin name.
  public static var exceedContext: GenerationFinishReason { .exceed_context }
}

// The bridge's arrays needed a conversion; these are Swift's own already.

extension [Float] {
  public func toFloatArray() -> [Float] { self }
}

extension Data {
  public func toData() -> Data { self }
}
