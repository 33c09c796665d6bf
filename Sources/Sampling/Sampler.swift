import Foundation

/// Draws tokens from logits: penalties, then top-k, typical-p, top-p, min-p, temperature and a
/// seeded draw, each as llama.cpp defines it. After the first call, drawing allocates no memory
/// (except that an unlimited penalty window grows with the distinct tokens in it).
///
/// A value type: a copy continues the same random sequence. Not for use from two threads at once.
public struct Sampler: Sendable {
  public let options: SamplingOptions
  public let vocabularySize: Int
  /// The seed in use: the options' or, where they have none, the one that was chosen.
  public let seed: UInt64

  var candidates: CandidateSet
  var window: PenaltyWindow?
  var random: SplitMix64

  /// Throws if an option is out of its range.
  public init(_ options: SamplingOptions, vocabularySize: Int) throws(SamplingError) {
    try options.validate()
    self.options = options
    self.vocabularySize = max(0, vocabularySize)
    seed = options.seed ?? .random(in: .min ... .max)
    random = SplitMix64(seed: seed)
    candidates = CandidateSet(capacity: self.vocabularySize)
    if options.penalises {
      window = PenaltyWindow(lastN: options.penaltyLastN, vocabularySize: self.vocabularySize)
    }
  }

  /// Adds a token of the prompt or the output to the history the penalties look at.
  public mutating func accept(_ token: Int32) {
    window?.append(token)
  }

  /// Draws a token. With `allowed`, only from those it allows: the mask comes before every filter,
  /// so a legal token is found however unlikely it is.
  public mutating func sample(
    _ logits: UnsafeBufferPointer<Float>, allowed: TokenMask? = nil
  ) throws(SamplingError) -> Int32 {
    if options.isGreedy, window == nil, allowed == nil, options.typicalP >= 1 {
      return try mostLikely(logits)
    }
    try load(logits)
    apply(.penalties)
    try restrict(to: allowed)
    for stage in SamplingStage.Name.filters { apply(stage) }
    return try draw()
  }

  /// As above, for logits in an array.
  public mutating func sample(
    _ logits: [Float], allowed: TokenMask? = nil
  ) throws(SamplingError) -> Int32 {
    try logits.withUnsafeBufferPointer { buffer throws(SamplingError) in
      try sample(buffer, allowed: allowed)
    }
  }
}
