/// How an answer is generated. `nil` takes the model's own default: what its file recommends,
/// else what its family is known to like, else temperature 0.8, top-k 40, top-p 0.95, min-p 0.05.
public struct GenerationOptions: Sendable {
  /// 0 always takes the likeliest token; larger is more varied.
  public var temperature: Float?
  /// Keeps the likeliest tokens whose probabilities add up to this; 1 keeps all.
  public var topP: Float?
  /// Keeps tokens at least this probable, relative to the likeliest one; 0 keeps all.
  public var minP: Float?
  /// Divides the logits of recent tokens where they are positive, multiplies them where not; 1 is
  /// off.
  public var repetitionPenalty: Float?
  /// Keeps the k likeliest tokens; 0 keeps all.
  public var topK: Int32?
  /// The same seed, options and prompt give the same answer.
  public var rngSeed: UInt64?
  /// A JSON Schema, as text, that the answer must follow. A schema that cannot be followed throws
  /// an `invalidInput` that names the place in it, before anything is generated. The answer is cut
  /// short only where `maxOutputTokens` or the context ends it.
  public var jsonSchemaConstraint: String?
  /// The format of calls; used when functions are registered. nil leaves the text of calls in the
  /// chunks.
  public var functionCallParser: (any LeapFunctionCallParserProtocol)?
  /// Whether the schema's text is also added to the system message.
  public var injectSchemaIntoPrompt: Bool
  /// true renders the whole history anew and reuses what the caches hold of it. false goes on from
  /// the state the last finished answer left, which may hold more than the history says, thinking
  /// for instance, and reads only the messages after that answer. Where there is no such state
  /// (first message, a cancelled answer, too many conversations at once) or it leaves no room, false
  /// means the same as true. The history itself is never changed.
  public var resetHistory: Bool
  /// Caps the context for this generation, in tokens; never above what was allocated at load.
  public var sequenceLength: UInt32?
  /// Most tokens to generate; reaching it ends the answer with `.stop`.
  public var maxOutputTokens: UInt32?
  /// Delivers the text between `<think>` and `</think>` as `.reasoningChunk`. Either way it stays
  /// out of `.chunk` and ends up in the message's `reasoningContent`.
  public var enableThinking: Bool
  /// Leaves reasoning, tags included, in the chunks and in the finished message's text. The
  /// message's `reasoningContent` holds it as well, and later turns leave it out of the prompt.
  public var inlineThinkingTags: Bool
  /// Whether cached state may be used and kept; nil is `.cache`.
  public var cacheControl: CacheControl?
  /// Further settings as a JSON object. Numbers may be written as strings; members that are not
  /// listed here are ignored, and one of the wrong type throws `invalidInput`.
  ///
  /// | member | value |
  /// |---|---|
  /// | `stop` | a text, or a list of texts, that ends the answer and is not part of it |
  /// | `presence_penalty`, `frequency_penalty` | subtracted from the logits of tokens in the window; 0 is off |
  /// | `penalty_last_n` | the window of all penalties in tokens; -1 is everything, 0 nothing |
  /// | `typical_p` | keeps the most typical tokens up to this probability; 1 keeps all |
  /// | `chat_template_kwargs` | an object of variables for the chat template, `{"keep_past_thinking": true}` for instance |
  /// | `tool_choice` | `"auto"`, `"none"`, `"required"`, or `{"type": "function", "function": {"name": ...}}`: whether the model may, must not or must call |
  /// | `constrain_tool_calls` | true lets calls only be written so that they parse and are complete |
  /// | `lookup` | true lets answers that repeat the prompt or themselves come faster, by guessing tokens from what followed the same words before; the answer is the same. false does not, whatever was chosen at load |
  /// | `audio_mode` | whether a model that can speaks: `"text"`, `"sequential"`, `"interleaved"`, or as the system prompt says by default |
  /// | `audio_temperature`, `audio_top_k` | how sound is drawn in this answer |
  /// | `context_overflow` | `"fail"` or `"drop_oldest"`, like `contextOverflow` |
  public var extras: String?
  /// What to do about a history that does not fit the context.
  public var contextOverflow: ContextOverflow

  /// Options that differ from the model's own in what is given.
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
    extras: String? = nil,
    contextOverflow: ContextOverflow = .fail
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
    self.contextOverflow = contextOverflow
  }

  /// What to do about a history that does not fit the context.
  public enum ContextOverflow: String, Sendable, Hashable, CaseIterable {
    /// Throw `promptExceedContextLengthFailure`.
    case fail
    /// Leave the oldest turns out of the prompt until it fits, with room for the answer
    /// (`maxOutputTokens`, at most a quarter of the context). System messages and everything from
    /// the last user message on stay, and a tool's result stays with its call. The conversation's
    /// history is not changed. If not even the last turn fits, the error is thrown.
    case dropOldest = "drop_oldest"
  }

  /// Whether this generation may use and keep cached state.
  public struct CacheControl: Sendable, Hashable {
    /// What may be done with cached state.
    public enum Policy: Sendable, Hashable {
      /// Uses and keeps states.
      case cache
      /// Computes the whole prompt anew and keeps nothing in `LiquidCacheOptions`' cache.
      case noCache
    }

    /// What may be done.
    public var policy: Policy
    /// A name for the state this generation leaves, of any kind. In the cache of
    /// `LiquidCacheOptions`, named states are given up last, and a longer text replaces one only
    /// under the same name: worth setting after a long system prompt that many chats begin with.
    public var point: String?

    /// Cache control with a policy, and a name for the place.
    public init(policy: Policy = .cache, point: String? = nil) {
      self.policy = policy
      self.point = point
    }

    /// Uses the caches and fills them.
    public static var cache: CacheControl { CacheControl(policy: .cache) }
    /// Computes the whole prompt anew.
    public static var noCache: CacheControl { CacheControl(policy: .noCache) }
  }
}
