import ToolCalls

/// What a generation delivers while it runs; every text is whole Unicode scalars.
public enum GenerationEvent: Sendable, Equatable {
  /// So many parts (tiles) of a picture are encoded, of so many. The prompt is not evaluated yet.
  case image(done: Int, total: Int)
  /// So many steps of encoding a sound are done, of so many.
  case sound(done: Int, total: Int)
  /// The prompt is evaluated; the first token comes next.
  case prompt(tokens: Int, cached: Int)
  case text(String)
  case reasoning(String)
  /// A block of calls has been read.
  case toolCalls([ToolCall])
  /// What the model says, in order with the texts: samples from about -1 to 1, 24,000 a second.
  case audio([Float])
}

/// Why a generation ended.
public enum FinishReason: String, Sendable {
  /// The model ended its turn.
  case endOfTurn
  /// A stop text appeared.
  case stopText
  case maximumTokens
  case contextFull
  /// The caller stopped it.
  case stopped
}

/// A finished generation.
public struct GenerationResult: Sendable {
  /// The answer: all `.text` events joined.
  public var text: String
  /// All `.reasoning` events joined; nil if there was no think tag.
  public var reasoning: String?
  /// All calls, in the order they were written.
  public var toolCalls: [ToolCall]
  /// Everything the model wrote, think tags and special tokens included, up to a stop text.
  public var rawText: String
  /// The generated ids, the one that ended the turn included.
  public var tokens: [Int32]
  public var finishReason: FinishReason
  public var stats: GenerationStatistics
  /// What was said; nil for an answer in text alone.
  public var speech: SpokenAnswer?
}

/// Counts and times of one generation.
public struct GenerationStatistics: Sendable, Equatable {
  /// Length of the prompt.
  public var promptTokens = 0
  /// The part of it that was still in the cache.
  public var cachedTokens = 0
  public var generatedTokens = 0
  /// Times the model ran to generate them, the prompt's evaluation aside.
  public var decodePasses = 0
  /// Tokens that prompt lookup guessed and the model evaluated before they were chosen, and those
  /// of them that were chosen then.
  public var draftTokens = 0
  public var acceptedDraftTokens = 0
  /// Time to evaluate the prompt, that for its pictures and sounds included.
  public var prefillSeconds = 0.0
  /// Time to encode the prompt's pictures.
  public var imageSeconds = 0.0
  /// Time to encode the prompt's sounds.
  public var soundSeconds = 0.0
  /// Time from the first token to the last.
  public var decodeSeconds = 0.0
  /// Frames of sound among the tokens generated, 80 ms each.
  public var speechFrames = 0

  public init() {}

  public var prefillTokensPerSecond: Double {
    let seconds = prefillSeconds - imageSeconds - soundSeconds
    return seconds > 0 ? Double(promptTokens - cachedTokens) / seconds : 0
  }

  /// The first token comes out of the prompt's evaluation, so it does not count.
  public var decodeTokensPerSecond: Double {
    decodeSeconds > 0 ? Double(max(0, generatedTokens - 1)) / decodeSeconds : 0
  }

  /// Tokens that one run of the model yielded on average.
  public var tokensPerPass: Double {
    decodePasses > 0 ? Double(max(0, generatedTokens - 1)) / Double(decodePasses) : 0
  }
}
