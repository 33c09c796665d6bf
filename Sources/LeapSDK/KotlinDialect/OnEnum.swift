/// A response as the bridge's enumeration, one object for each case.
public func onEnum(of response: MessageResponse) -> MessageResponseOnEnum {
  switch response {
  case .chunk(let text):
    .chunk(MessageResponseChunk(text: text))
  case .reasoningChunk(let reasoning):
    .reasoningChunk(MessageResponseReasoningChunk(reasoning: reasoning))
  case .audioSample(let samples, let sampleRate):
    .audioSample(
      MessageResponseAudioSample(samples: samples, sampleRate: Int32(clamping: sampleRate)))
  case .functionCall(let calls):
    .functionCalls(MessageResponseFunctionCalls(functionCalls: calls))
  case .complete(let completion):
    .complete(MessageResponseComplete(completion))
  }
}

/// A message's part as the bridge's enumeration.
public func onEnum(of content: ChatMessageContent) -> ChatMessageContentOnEnum {
  switch content {
  case .text(let text): .text(ChatMessageContentText(text: text))
  case .image(let data): .image(ChatMessageContentImage(data: data))
  case .audio(let data): .audio(ChatMessageContentAudio(data: data))
  }
}

/// What `onEnum(of:)` makes of a `MessageResponse`.
public enum MessageResponseOnEnum: Sendable {
  /// A piece of the answer's text.
  case chunk(MessageResponseChunk)
  /// A piece of the reasoning.
  case reasoningChunk(MessageResponseReasoningChunk)
  /// A piece of the answer's sound.
  case audioSample(MessageResponseAudioSample)
  /// Functions that the model wants called.
  case functionCalls(MessageResponseFunctionCalls)
  /// The end of the answer.
  case complete(MessageResponseComplete)
}

/// The payload of `.chunk`.
public struct MessageResponseChunk: Sendable {
  /// The text.
  public let text: String
}

/// The payload of `.reasoningChunk`.
public struct MessageResponseReasoningChunk: Sendable {
  /// The piece of reasoning.
  public let reasoning: String
}

/// The payload of `.audioSample`.
public struct MessageResponseAudioSample: Sendable {
  /// Mono samples from -1 to 1.
  public let samples: [Float]
  /// Samples per second.
  public let sampleRate: Int32
}

/// The payload of `.functionCalls`.
public struct MessageResponseFunctionCalls: Sendable {
  /// The calls, in the order the model made them.
  public let functionCalls: [LeapFunctionCall]
}

/// The payload of `.complete`.
public struct MessageResponseComplete: Sendable {
  /// The whole answer.
  public let fullMessage: ChatMessage
  /// Why the answer ended.
  public let finishReason: GenerationFinishReason
  /// Counts and speed, where they are known.
  public let stats: GenerationStats?

  init(_ completion: MessageCompletion) {
    fullMessage = completion.message
    finishReason = completion.finishReason
    stats = completion.stats
  }
}

/// What `onEnum(of:)` makes of a `ChatMessageContent`.
public enum ChatMessageContentOnEnum: Sendable {
  /// Plain text.
  case text(ChatMessageContentText)
  /// An image.
  case image(ChatMessageContentImage)
  /// Audio.
  case audio(ChatMessageContentAudio)
}

/// The payload of `.text`.
public struct ChatMessageContentText: Sendable {
  /// The text.
  public let text: String
}

/// The payload of `.image`.
public struct ChatMessageContentImage: Sendable {
  /// A JPEG file's bytes.
  public let data: Data
}

/// The payload of `.audio`.
public struct ChatMessageContentAudio: Sendable {
  /// A WAV file's bytes.
  public let data: Data
}
