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

public enum MessageResponseOnEnum: Sendable {
  case chunk(MessageResponseChunk)
  case reasoningChunk(MessageResponseReasoningChunk)
  case audioSample(MessageResponseAudioSample)
  case functionCalls(MessageResponseFunctionCalls)
  case complete(MessageResponseComplete)
}

public struct MessageResponseChunk: Sendable {
  public let text: String
}

public struct MessageResponseReasoningChunk: Sendable {
  public let reasoning: String
}

public struct MessageResponseAudioSample: Sendable {
  /// Mono samples from -1 to 1.
  public let samples: [Float]
  public let sampleRate: Int32
}

public struct MessageResponseFunctionCalls: Sendable {
  public let functionCalls: [LeapFunctionCall]
}

public struct MessageResponseComplete: Sendable {
  public let fullMessage: ChatMessage
  public let finishReason: GenerationFinishReason
  public let stats: GenerationStats?

  init(_ completion: MessageCompletion) {
    fullMessage = completion.message
    finishReason = completion.finishReason
    stats = completion.stats
  }
}

public enum ChatMessageContentOnEnum: Sendable {
  case text(ChatMessageContentText)
  case image(ChatMessageContentImage)
  case audio(ChatMessageContentAudio)
}

public struct ChatMessageContentText: Sendable {
  public let text: String
}

public struct ChatMessageContentImage: Sendable {
  /// A JPEG file's bytes.
  public let data: Data
}

public struct ChatMessageContentAudio: Sendable {
  /// A WAV file's bytes.
  public let data: Data
}
