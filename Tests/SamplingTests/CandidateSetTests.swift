import Foundation
import Testing

@testable import Sampling

/// The selections without sorting against plain sorting, on vocabularies of realistic size.
@Suite struct CandidateSetTests {
  private func randomLogits(_ count: Int, spread: Float, levels: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    // Few levels make many ties.
    return (0..<count).map { _ in
      (Float(random.nextIndex(below: levels)) / Float(levels) - 0.5) * spread
    }
  }

  private func filled(_ logits: [Float]) -> CandidateSet {
    var set = CandidateSet(capacity: logits.count)
    logits.withUnsafeBufferPointer { set.fill($0) }
    return set
  }

  /// Ids by falling logit, lower ids first among equal ones.
  private func ranked(_ logits: [Float]) -> [Int] {
    logits.indices.sorted { (logits[$1], $0) < (logits[$0], $1) }
  }

  private func kept(_ set: CandidateSet) -> [Int] {
    set.ids.prefix(set.count).map { Int($0) }.sorted()
  }

  @Test(arguments: [3, 50, 1_000_000])
  func topKKeepsTheHighestWithTheLowestIDsOnTies(levels: Int) {
    let logits = randomLogits(4001, spread: 10, levels: levels, seed: UInt64(levels))
    let order = ranked(logits)
    for k in [1, 2, 40, 1000, 4000, 4001, 9999] {
      var set = filled(logits)
      set.keepTop(k)
      #expect(kept(set) == order.prefix(k).sorted(), "k \(k)")
    }
  }

  @Test(arguments: [(1, 5), (1, 1_000_000), (12, 40), (30, 1_000_000)])
  func topPKeepsTheShortestPrefixThatReachesTheSum(spread: Int, levels: Int) {
    let logits = randomLogits(
      4001, spread: Float(spread), levels: levels, seed: UInt64(spread * levels))
    let order = ranked(logits)
    let top = logits.max() ?? 0
    let total = logits.reduce(0.0) { $0 + exp(Double($1 - top)) }
    for p in [0, 0.1, 0.5, 0.95, 0.999] as [Float] {
      var set = filled(logits)
      set.keepNucleus(p)
      // The sums are rounded differently, which may move the border by a candidate.
      let weights = order.map { exp(Double(logits[$0] - top)) / total }
      #expect(kept(set) == order.prefix(set.count).sorted())
      let sum = weights.prefix(set.count).reduce(0, +)
      #expect(set.count >= 1 && sum >= Double(p) - 1e-5)
      #expect(set.count == 1 || sum - weights[set.count - 1] <= Double(p) + 1e-5)
    }
  }

  @Test func typicalKeepsTheLeastSurprisingSurprises() {
    let logits = randomLogits(4001, spread: 8, levels: 1_000_000, seed: 5)
    let top = logits.max() ?? 0
    let total = logits.reduce(0.0) { $0 + exp(Double($1 - top)) }
    let logProbabilities = logits.map { Double($0 - top) - log(total) }
    let entropy = -logProbabilities.reduce(0) { $0 + exp($1) * $1 }
    let order = logits.indices.sorted {
      abs(logProbabilities[$0] + entropy) < abs(logProbabilities[$1] + entropy)
    }
    var set = filled(logits)
    set.keepTypical(0.6)
    let expected = Set(order.prefix(set.count))
    // In single precision neighbours in the order may change places at the border.
    #expect(expected.symmetricDifference(kept(set)).count <= 4)
    let sum = kept(set).reduce(0.0) { $0 + exp(logProbabilities[$1]) }
    #expect(abs(sum - 0.6) < 1e-3)
  }

  @Test func exponentialIsAccurate() {
    #expect(exponential(.zero) == SIMD16(repeating: 1))
    for step in 0..<20_000 {
      let x = Float(step) * -0.0043
      let value = Double(exponential(SIMD16(repeating: x))[3])
      #expect(abs(value / exp(Double(x)) - 1) < 5e-7, "\(x)")
    }
    for x in [-88, -1e30, -Float.infinity] as [Float] {
      #expect(exponential(SIMD16(repeating: x)) == .zero)
    }
  }

  @Test(arguments: [1, 15, 16, 17, 1023, 1024, 1025, 1040, 4001])
  func weightsCoverEveryCandidate(count: Int) {
    let logits = randomLogits(count, spread: 20, levels: 1_000_000, seed: 9)
    var set = filled(logits)
    let total = set.weigh()
    let top = Double(logits.max() ?? 0)
    let expected = logits.reduce(0.0) { $0 + exp(Double($1) - top) }
    #expect(abs(total / expected - 1) < 1e-5)
    for (weight, logit) in zip(set.weights, logits) {
      #expect(abs(Double(weight) - exp(Double(logit) - top)) < 1e-6)
    }
  }
}
