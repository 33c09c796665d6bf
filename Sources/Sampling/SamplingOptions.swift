/// How the next token is drawn from the logits. The filters are applied in the order of the
/// properties below `penaltyLastN`: penalties, top-k, typical-p, top-p, min-p, temperature, draw.
public struct SamplingOptions: Sendable, Equatable {
  /// Divides the logits before the draw; up to 1e-6 the most likely token is taken (greedy).
  public var temperature: Float
  /// Keeps the k most likely tokens; 0 or less keeps all.
  public var topK: Int
  /// Keeps the fewest tokens, most likely first, whose probabilities reach this sum; 1 keeps all.
  public var topP: Float
  /// Keeps tokens at least this fraction as likely as the most likely one; 0 keeps all.
  public var minP: Float
  /// Keeps the tokens whose surprise is closest to the expected one, up to this sum of
  /// probabilities; 1 keeps all.
  public var typicalP: Float
  /// Divides positive and multiplies other logits of tokens seen in the window; 1 is off.
  public var repetitionPenalty: Float
  /// Subtracted from a token's logit once per occurrence in the window; 0 is off.
  public var frequencyPenalty: Float
  /// Subtracted from the logit of every token that occurs in the window; 0 is off.
  public var presencePenalty: Float
  /// How many of the latest tokens the penalties look at: -1 means all, 0 none.
  public var penaltyLastN: Int
  /// Equal seeds give equal draws; nil takes a random seed.
  public var seed: UInt64?

  public init(
    temperature: Float = 0.8, topK: Int = 40, topP: Float = 0.95, minP: Float = 0.05,
    typicalP: Float = 1, repetitionPenalty: Float = 1, frequencyPenalty: Float = 0,
    presencePenalty: Float = 0, penaltyLastN: Int = 64, seed: UInt64? = nil
  ) {
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.typicalP = typicalP
    self.repetitionPenalty = repetitionPenalty
    self.frequencyPenalty = frequencyPenalty
    self.presencePenalty = presencePenalty
    self.penaltyLastN = penaltyLastN
    self.seed = seed
  }
}

extension SamplingOptions {
  /// Below this a division by the temperature would only lose precision: the draw is greedy.
  var isGreedy: Bool { temperature <= 1e-6 }

  var penalises: Bool {
    penaltyLastN != 0
      && (repetitionPenalty != 1 || frequencyPenalty != 0 || presencePenalty != 0)
  }

  /// Throws `SamplingError.invalidOption` for the first value that is out of its range.
  public func validate() throws(SamplingError) {
    try Self.check("temperature", temperature, "a finite number, 0 or greater") { $0 >= 0 }
    for (name, value) in [("topP", topP), ("minP", minP), ("typicalP", typicalP)] {
      try Self.check(name, value, "between 0 and 1") { (0...1).contains($0) }
    }
    try Self.check("repetitionPenalty", repetitionPenalty, "between 0.01 and 100") {
      (0.01...100).contains($0)
    }
    for (name, value) in [
      ("frequencyPenalty", frequencyPenalty), ("presencePenalty", presencePenalty),
    ] {
      try Self.check(name, value, "between -100 and 100") { (-100...100).contains($0) }
    }
    guard penaltyLastN >= -1 else {
      throw .invalidOption(
        name: "penaltyLastN", value: "\(penaltyLastN)",
        allowed: "-1 (all tokens), 0 (off) or a number of tokens")
    }
  }

  private static func check(
    _ name: String, _ value: Float, _ allowed: String, _ isValid: (Float) -> Bool
  ) throws(SamplingError) {
    guard value.isFinite, isValid(value) else {
      throw .invalidOption(name: name, value: "\(value)", allowed: allowed)
    }
  }
}
