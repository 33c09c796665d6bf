extension Sampler {
  /// Makes every token a candidate.
  mutating func load(_ logits: UnsafeBufferPointer<Float>) throws(SamplingError) {
    try checkCount(logits.count)
    candidates.fill(logits)
  }

  /// Leaves the allowed tokens, and sees to it that one of them can be drawn.
  mutating func restrict(to allowed: TokenMask?) throws(SamplingError) {
    if let allowed {
      candidates.restrict(to: allowed)
      guard candidates.count > 0 else { throw .noTokenAllowed }
    }
    switch candidates.maximum {
    case -.infinity: throw .noUsableLogit
    case .infinity: candidates.resolveInfinity()
    default: break
    }
  }

  mutating func apply(_ stage: SamplingStage.Name) {
    switch stage {
    case .penalties: window?.penalise(&candidates.logits, options)
    case .topK: candidates.keepTop(options.topK)
    case .typicalP: candidates.keepTypical(options.typicalP)
    case .topP: candidates.keepNucleus(options.topP)
    case .minP: candidates.keepProbable(options.minP)
    case .temperature: candidates.heat(options)
    }
  }

  /// The first candidate at which the running sum of the weights exceeds a random share of it.
  mutating func draw() throws(SamplingError) -> Int32 {
    if options.isGreedy {
      guard let best = candidates.best else { throw .noUsableLogit }
      return best
    }
    let threshold = random.nextUnit() * candidates.weigh()
    var sum = 0.0
    var last: Int32?
    for index in 0..<candidates.count where candidates.weights[index] > 0 {
      sum += Double(candidates.weights[index])
      last = candidates.ids[index]
      if sum > threshold { break }
    }
    guard let last else { throw .noUsableLogit }
    return last
  }

  /// The highest logit's id, the lowest on a tie: one pass over the vocabulary, no copy.
  func mostLikely(_ logits: UnsafeBufferPointer<Float>) throws(SamplingError) -> Int32 {
    try checkCount(logits.count)
    let top = largest(logits)
    guard top > -.infinity, let index = logits.firstIndex(of: top) else { throw .noUsableLogit }
    return Int32(truncatingIfNeeded: index)
  }

  private func checkCount(_ count: Int) throws(SamplingError) {
    guard count == vocabularySize else {
      throw .wrongLogitCount(expected: vocabularySize, actual: count)
    }
  }
}
