extension Sampler {
  /// What each step of the chain does to `logits` after the tokens of `history` (oldest first).
  /// For inspection: it allocates freely.
  public static func stages(
    logits: [Float], options: SamplingOptions, history: [Int32] = [], allowed: TokenMask? = nil
  ) throws(SamplingError) -> SamplingReport {
    var sampler = try Sampler(options, vocabularySize: logits.count)
    for token in history { sampler.accept(token) }
    return try sampler.report(logits, allowed: allowed)
  }

  private mutating func report(
    _ logits: [Float], allowed: TokenMask?
  ) throws(SamplingError) -> SamplingReport {
    try logits.withUnsafeBufferPointer { buffer throws(SamplingError) in try load(buffer) }
    var stages: [SamplingStage] = []
    record(.penalties, in: &stages)
    try restrict(to: allowed)
    for name in SamplingStage.Name.filters { record(name, in: &stages) }
    let final = candidates.stage(.temperature)
    let drawable = zip(final.ids, final.probabilities).filter { $0.1 > 0 }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    return SamplingReport(
      stages: stages, ids: drawable.map(\.0), probabilities: drawable.map(\.1))
  }

  /// Applies a step and notes its outcome if it changed anything.
  private mutating func record(_ name: SamplingStage.Name, in stages: inout [SamplingStage]) {
    let before = candidates.logitsByID
    apply(name)
    if !before.elementsEqual(candidates.logitsByID, by: ==) {
      stages.append(candidates.stage(name))
    }
  }
}

extension CandidateSet {
  fileprivate var logitsByID: [(Int32, Float)] {
    zip(ids, logits).prefix(count).sorted { $0.0 < $1.0 }
  }

  fileprivate func stage(_ name: SamplingStage.Name) -> SamplingStage {
    var set = self
    if set.maximum == .infinity { set.resolveInfinity() }
    let total = set.weigh()
    let byID = zip(set.ids, set.weights).prefix(count).sorted { $0.0 < $1.0 }
    return SamplingStage(
      name: name, ids: byID.map(\.0), probabilities: byID.map { Double($0.1) / total })
  }
}
