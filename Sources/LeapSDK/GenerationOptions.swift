/// How an answer is generated. `nil` takes the model's own default: what its file recommends,
/// else what its family is known to like, else temperature 0.8, top-k 40, top-p 0.95, min-p 0.05.
public struct GenerationOptions: Sendable {
  /// 0 always takes the likeliest token; larger is more varied.
  public var temperature: Float?
  public var topP: Float?
  public var minP: Float?
  public var repetitionPenalty: Float?
  /// 0 keeps all tokens.
  public var topK: Int32?
  /// The same seed, options and prompt give the same answer.
  public var rngSeed: UInt64?
  /// A JSON Schema the answer must follow. This version refuses it with an `invalidInput` error.
  public var jsonSchemaConstraint: String?
  /// The format of calls. This version leaves call text in the chunks whichever is set.
  public var functionCallParser: (any LeapFunctionCallParserProtocol)?
  /// Whether a schema is also described to the model in words.
  public var injectSchemaIntoPrompt: Bool
  /// Accepted for compatibility. The prompt always follows from the history; whatever the caches
  /// hold of it is reused either way.
  public var resetHistory: Bool
  /// Caps the context for this generation, in tokens; never above what was allocated at load.
  public var sequenceLength: UInt32?
  public var maxOutputTokens: UInt32?
  /// Delivers the text between `<think>` and `</think>` as `.reasoningChunk`. Either way it stays
  /// out of `.chunk` and ends up in the message's `reasoningContent`.
  public var enableThinking: Bool
  /// Leaves reasoning, tags included, in the chunks. The finished message still separates it.
  public var inlineThinkingTags: Bool
  public var cacheControl: CacheControl?
  /// Accepted for compatibility; no back-end setting is read from it.
  public var extras: String?

  public init(
    temperature: Float? = nil,
    topP: Float? = nil,
    minP: Float? = nil,
    repetitionPenalty: Float? = nil,
    topK: Int32? = nil,
    rngSeed: UInt64? = nil,
    jsonSchemaConstraint: String? = nil,
    functionCallParser: (any LeapFunctionCallParserProtocol)? = LFMFunctionCallParser(),
    injectSchemaIntoPrompt: Bool = true,
    resetHistory: Bool = true,
    sequenceLength: UInt32? = nil,
    maxOutputTokens: UInt32? = nil,
    enableThinking: Bool = false,
    inlineThinkingTags: Bool = false,
    cacheControl: CacheControl? = nil,
    extras: String? = nil
  ) {
    self.temperature = temperature
    self.topP = topP
    self.minP = minP
    self.repetitionPenalty = repetitionPenalty
    self.topK = topK
    self.rngSeed = rngSeed
    self.jsonSchemaConstraint = jsonSchemaConstraint
    self.functionCallParser = functionCallParser
    self.injectSchemaIntoPrompt = injectSchemaIntoPrompt
    self.resetHistory = resetHistory
    self.sequenceLength = sequenceLength
    self.maxOutputTokens = maxOutputTokens
    self.enableThinking = enableThinking
    self.inlineThinkingTags = inlineThinkingTags
    self.cacheControl = cacheControl
    self.extras = extras
  }

  /// Whether this generation may use and keep cached state.
  public struct CacheControl: Sendable, Hashable {
    public enum Policy: Sendable, Hashable {
      case cache
      /// Computes the whole prompt anew.
      case noCache
    }

    public var policy: Policy
    /// An opaque name, kept but not interpreted.
    public var point: String?

    public init(policy: Policy = .cache, point: String? = nil) {
      self.policy = policy
      self.point = point
    }

    public static var cache: CacheControl { CacheControl(policy: .cache) }
    public static var noCache: CacheControl { CacheControl(policy: .noCache) }
  }
}
