import Sampling

/// Sampling that somebody recommends for a model; nil leaves a value as it is.
public struct SamplingRecommendation: Sendable, Equatable {
  public var temperature: Float?
  public var topK: Int?
  public var topP: Float?
  public var minP: Float?
  public var repetitionPenalty: Float?

  public init(
    temperature: Float? = nil, topK: Int? = nil, topP: Float? = nil, minP: Float? = nil,
    repetitionPenalty: Float? = nil
  ) {
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.repetitionPenalty = repetitionPenalty
  }

  /// The options with the recommended values in place.
  public func applied(to options: SamplingOptions) -> SamplingOptions {
    var options = options
    options.temperature = temperature ?? options.temperature
    options.topK = topK ?? options.topK
    options.topP = topP ?? options.topP
    options.minP = minP ?? options.minP
    options.repetitionPenalty = repetitionPenalty ?? options.repetitionPenalty
    return options
  }
}
