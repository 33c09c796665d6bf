/// What one step of the chain left: the tokens still in the running and their probabilities.
public struct SamplingStage: Sendable, Equatable {
  /// The steps in the order they are applied.
  public enum Name: String, Sendable, CaseIterable {
    case penalties
    case topK = "top_k"
    case typicalP = "typical_p"
    case topP = "top_p"
    case minP = "min_p"
    case temperature

    /// The steps after the penalties.
    static let filters: [Name] = [.topK, .typicalP, .topP, .minP, .temperature]
  }

  public let name: Name
  /// Ascending.
  public let ids: [Int32]
  /// The softmax over the tokens kept, in the order of `ids`.
  public let probabilities: [Double]
}

/// How one draw comes about.
public struct SamplingReport: Sendable, Equatable {
  /// The steps that changed something.
  public let stages: [SamplingStage]
  /// The tokens that can be drawn, most likely first.
  public let ids: [Int32]
  /// The probability of each of `ids`.
  public let probabilities: [Double]
}
