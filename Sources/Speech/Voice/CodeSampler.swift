import Foundation

/// Draws codes: the largest `topK` logits over a temperature; the largest alone at temperature 0.
public struct CodeSampler: Sendable, Equatable {
  public var temperature: Float
  /// 0 or less keeps all.
  public var topK: Int

  public init(temperature: Float, topK: Int) {
    self.temperature = temperature
    self.topK = topK
  }

  public static let greedy = CodeSampler(temperature: 0, topK: 1)

  var isGreedy: Bool { !(temperature > 0) || topK == 1 }

  func draw(
    _ logits: UnsafeBufferPointer<Float>, _ random: inout some RandomNumberGenerator
  ) -> Int32 {
    guard !isGreedy else { return Int32(Self.largest(logits)) }
    let weights = probabilities(logits)
    var rest = Double.random(in: 0..<1, using: &random)
    var last = Self.largest(logits)
    for (index, weight) in weights.enumerated() where weight > 0 {
      last = index
      rest -= weight
      if rest < 0 { break }
    }
    return Int32(last)
  }

  /// Of every code; all with a logit as large as that of the last kept one are kept.
  func probabilities(_ logits: UnsafeBufferPointer<Float>) -> [Double] {
    let scaled = logits.map { $0.isNaN ? -Float.infinity : $0 / temperature }
    var lowest = -Float.infinity
    if topK > 0, topK < scaled.count { lowest = scaled.sorted(by: >)[topK - 1] }
    let largest = scaled.max() ?? 0
    guard largest.isFinite else {
      return scaled.indices.map { $0 == Self.largest(logits) ? 1 : 0 }
    }
    let weights = scaled.map { $0 >= lowest ? exp(Double($0 - largest)) : 0 }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  /// The first of the largest.
  private static func largest(_ logits: UnsafeBufferPointer<Float>) -> Int {
    var best = 0
    for index in logits.indices where logits[index] > logits[best] { best = index }
    return best
  }
}
