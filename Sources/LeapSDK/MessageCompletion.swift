/// A finished answer.
public struct MessageCompletion: Sendable {
  /// The whole answer, as it is in the history.
  public let message: ChatMessage
  /// Why the answer ended.
  public let finishReason: GenerationFinishReason
  /// Counts and speed, where they are known.
  public let stats: GenerationStats?

  /// The end of an answer.
  public init(
    message: ChatMessage, finishReason: GenerationFinishReason, stats: GenerationStats? = nil
  ) {
    self.message = message
    self.finishReason = finishReason
    self.stats = stats
  }

  /// Finish reason and statistics in the shape of earlier versions.
  public var info: GenerationCompleteInfo {
    GenerationCompleteInfo(finishReason: finishReason, stats: stats)
  }
}

/// Why and how a generation ended.
public struct GenerationCompleteInfo: Sendable {
  /// Why the answer ended.
  public let finishReason: GenerationFinishReason
  /// Counts and speed, where they are known.
  public let stats: GenerationStats?

  /// The end of an answer without its message.
  public init(finishReason: GenerationFinishReason, stats: GenerationStats?) {
    self.finishReason = finishReason
    self.stats = stats
  }
}

/// Why a generation ended.
public enum GenerationFinishReason: Sendable, Hashable {
  /// The model ended its turn, `maxOutputTokens` was reached, or the caller stopped it.
  case stop
  /// The context is full.
  case exceed_context
}

/// Token counts and speed of one generation.
public struct GenerationStats: Sendable, Hashable {
  /// Length of the whole prompt, whether or not part of it was already in the cache.
  public var promptTokens: UInt64
  /// Tokens generated.
  public var completionTokens: UInt64
  /// `promptTokens + completionTokens`.
  public var totalTokens: UInt64
  /// Tokens per second while generating, prompt processing excluded.
  public var tokenPerSecond: Float
  /// The part of the prompt that did not have to be computed again.
  public var cachedPromptTokens: UInt64

  /// Counts of one answer.
  public init(
    promptTokens: UInt64, completionTokens: UInt64, totalTokens: UInt64, tokenPerSecond: Float,
    cachedPromptTokens: UInt64 = 0
  ) {
    self.promptTokens = promptTokens
    self.completionTokens = completionTokens
    self.totalTokens = totalTokens
    self.tokenPerSecond = tokenPerSecond
    self.cachedPromptTokens = cachedPromptTokens
  }
}
