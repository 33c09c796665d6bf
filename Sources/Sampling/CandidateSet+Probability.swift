import Foundation

// The filters that look at probabilities: softmax over the candidates at that point.
extension CandidateSet {
  /// Keeps the fewest candidates, most likely first, whose probabilities reach `p`; at least one.
  mutating func keepNucleus(_ p: Float) {
    guard p < 1, count > 1 else { return }
    let total = weigh()
    let target = Double(p) * total
    discardTail(total - target)
    let count = count
    withBuffers { _, logits, _, keys in
      for index in 0..<count { keys[index] = -logits[index] }
    }
    truncate(to: prefixByKey { $0 >= target })
  }

  /// Keeps the fewest candidates whose probabilities exceed `p`, those first whose surprise
  /// |-ln probability| is closest to its expectation, the entropy; at least one.
  mutating func keepTypical(_ p: Float) {
    guard p < 1, count > 1 else { return }
    let total = weigh()
    let top = maximum
    var weighted = 0.0
    for index in 0..<count where weights[index] > 0 {
      weighted += Double(weights[index]) * Double(top - logits[index])
    }
    // Surprise is ln(total) + top - logit; in its difference from the expectation ln(total)
    // cancels out.
    let expected = Float(weighted / total)
    for index in 0..<count {
      keys[index] = weights[index] > 0 ? abs(top - logits[index] - expected) : .infinity
    }
    let target = Double(p) * total
    truncate(to: prefixByKey { $0 > target })
  }

  /// Keeps candidates at least `p` times as likely as the most likely one.
  mutating func keepProbable(_ p: Float) {
    guard p > 0, count > 1 else { return }
    let threshold = log(p)
    let top = maximum
    keep { _, logit, _ in logit - top >= threshold }
  }

  /// Divides by the temperature, or leaves only the most likely candidate possible if greedy.
  mutating func heat(_ options: SamplingOptions) {
    let top = maximum
    if options.isGreedy {
      let best = best
      for index in 0..<count { logits[index] = ids[index] == best ? 0 : -.infinity }
    } else if options.temperature != 1 {
      for index in 0..<count { logits[index] = (logits[index] - top) / options.temperature }
    }
  }
}
