import Sampling

/// How one text is generated.
public struct GenerationSettings: Sendable {
  public var sampling: SamplingOptions
  /// Most tokens to generate; nil goes on until the model ends or the context is full.
  public var maximumTokens: Int?
  /// Caps the context in tokens, below what the sequence can hold.
  public var contextLimit: Int?
  /// Texts that end the generation; neither they nor what follows is delivered.
  public var stops: [String]
  /// Delivers text between think tags as reasoning; false leaves it, tags included, in the text.
  public var separatesReasoning: Bool
  /// Whether the caches may be used.
  public var reusesPrefix: Bool
  /// What to do about messages that do not fit the context.
  public var contextOverflow: ContextOverflow

  public init(
    sampling: SamplingOptions = SamplingOptions(), maximumTokens: Int? = nil,
    contextLimit: Int? = nil, stops: [String] = [], separatesReasoning: Bool = true,
    reusesPrefix: Bool = true, contextOverflow: ContextOverflow = .fail
  ) {
    self.sampling = sampling
    self.maximumTokens = maximumTokens
    self.contextLimit = contextLimit
    self.stops = stops
    self.separatesReasoning = separatesReasoning
    self.reusesPrefix = reusesPrefix
    self.contextOverflow = contextOverflow
  }
}
