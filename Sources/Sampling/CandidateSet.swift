/// The tokens still in the running, as parallel arrays whose first `count` entries are valid. The
/// arrays are sized once; nothing here allocates afterwards. Order carries no meaning.
struct CandidateSet: Sendable {
  private(set) var count = 0
  var ids: [Int32]
  /// Never NaN, and never +infinity after `fill`.
  var logits: [Float]
  /// Scratch of the filters: exp(logit - maximum), and the key candidates are ranked by.
  var weights: [Float]
  var keys: [Float]

  init(capacity: Int) {
    ids = [Int32](repeating: 0, count: capacity)
    logits = [Float](repeating: 0, count: capacity)
    weights = [Float](repeating: 0, count: capacity)
    keys = [Float](repeating: 0, count: capacity)
  }

  /// All tokens, in the order of their ids; a NaN counts as -infinity.
  mutating func fill(_ source: UnsafeBufferPointer<Float>) {
    count = min(source.count, logits.count)
    ids.withUnsafeMutableBufferPointer { ids in
      for index in 0..<count { ids[index] = Int32(truncatingIfNeeded: index) }
    }
    logits.withUnsafeMutableBufferPointer { logits in
      for index in 0..<count {
        let logit = source[index]
        logits[index] = logit == logit ? logit : -.infinity
      }
    }
  }

  /// Removes the tokens `mask` forbids.
  mutating func restrict(to mask: TokenMask) {
    keep { id, _, _ in mask.contains(id) }
  }

  /// Keeps the candidates for which `isKept` holds, in their order.
  mutating func keep(where isKept: (_ id: Int32, _ logit: Float, _ weight: Float) -> Bool) {
    let count = count
    self.count = withBuffers { ids, logits, weights, _ in
      var kept = 0
      for index in 0..<count {
        let (id, logit, weight) = (ids[index], logits[index], weights[index])
        ids[kept] = id
        logits[kept] = logit
        weights[kept] = weight
        // Written first and counted after: no branch to mispredict.
        kept += isKept(id, logit, weight) ? 1 : 0
      }
      return kept
    }
  }

  mutating func truncate(to newCount: Int) { count = min(count, newCount) }

  /// Where +infinity occurs it beats every finite logit: those become 0, all others -infinity.
  mutating func resolveInfinity() {
    for index in 0..<count { logits[index] = logits[index] == .infinity ? 0 : -.infinity }
  }

  /// The arrays without their bounds checks, for the loops over a whole vocabulary.
  mutating func withBuffers<Result>(
    _ body: (
      _ ids: UnsafeMutableBufferPointer<Int32>, _ logits: UnsafeMutableBufferPointer<Float>,
      _ weights: UnsafeMutableBufferPointer<Float>, _ keys: UnsafeMutableBufferPointer<Float>
    ) -> Result
  ) -> Result {
    ids.withUnsafeMutableBufferPointer { ids in
      logits.withUnsafeMutableBufferPointer { logits in
        weights.withUnsafeMutableBufferPointer { weights in
          keys.withUnsafeMutableBufferPointer { keys in body(ids, logits, weights, keys) }
        }
      }
    }
  }

  /// The highest logit, -infinity if there is no candidate.
  var maximum: Float {
    logits.withUnsafeBufferPointer { largest(UnsafeBufferPointer(rebasing: $0[..<count])) }
  }

  /// The id with the highest logit; the lowest such id on a tie.
  var best: Int32? {
    let top = maximum
    var best: Int32?
    for index in 0..<count where logits[index] == top { best = min(best ?? .max, ids[index]) }
    return best
  }

  /// Sets the weights to exp(logit - maximum) and returns their sum, which is at least 1 where a
  /// logit is finite.
  mutating func weigh() -> Double {
    let top = maximum
    let count = count
    return withBuffers { _, logits, weights, _ in
      exponentiate(UnsafeBufferPointer(rebasing: logits[..<count]), top: top, into: weights)
    }
  }
}

/// The largest of `values`, ignoring NaN; -infinity if there is none.
func largest(_ values: UnsafeBufferPointer<Float>) -> Float {
  guard let base = values.baseAddress else { return -.infinity }
  let raw = UnsafeRawPointer(base)
  var lanes = SIMD16<Float>(repeating: -.infinity)
  var index = 0
  while index + 16 <= values.count {
    let next = raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
    lanes.replace(with: next, where: next .> lanes)
    index += 16
  }
  var top = lanes.max()
  while index < values.count {
    if values[index] > top { top = values[index] }
    index += 1
  }
  return top
}
