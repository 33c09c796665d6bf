import Generation

/// Token counts and times of one generation.
public struct LiquidGenerationStats: Sendable, Hashable {
  /// Tokens in the prompt.
  public var promptTokens: UInt64
  /// The part of the prompt that did not have to be computed again.
  public var cachedPromptTokens: UInt64
  /// Tokens generated.
  public var completionTokens: UInt64
  /// Times the model ran to generate them, the prompt aside; fewer than tokens where prompt lookup
  /// or a schema allowed several in one run.
  public var decodePasses: UInt64
  /// Tokens that prompt lookup tried out.
  public var draftTokens: UInt64
  /// Those of them that were right.
  public var acceptedDraftTokens: UInt64
  /// Time spent on the prompt.
  public var prefillSeconds: Double
  /// Time spent on generating.
  public var decodeSeconds: Double

  init(_ stats: GenerationStatistics) {
    promptTokens = UInt64(clamping: stats.promptTokens)
    cachedPromptTokens = UInt64(clamping: stats.cachedTokens)
    completionTokens = UInt64(clamping: stats.generatedTokens)
    decodePasses = UInt64(clamping: stats.decodePasses)
    draftTokens = UInt64(clamping: stats.draftTokens)
    acceptedDraftTokens = UInt64(clamping: stats.acceptedDraftTokens)
    prefillSeconds = stats.prefillSeconds
    decodeSeconds = stats.decodeSeconds
  }
}
