/// How much of what a sequence holds serves the next prompt. Only the decision:
/// `TokenSequence.reuse` applies it.
public enum PrefixReuse: Sendable, Equatable {
  /// The prompt goes on where the sequence stands: evaluate from this position.
  case append(from: Int)
  /// The prompt leaves the sequence's tokens at this position: cut there and go on. Exact, because
  /// the sequence rebuilds its convolution state by replaying the last tokens before the cut.
  case replay(from: Int)
  /// Nothing useful in common: evaluate the whole prompt.
  case startOver

  /// Decides for a sequence that holds `evaluated`.
  ///
  /// At least one token is left to evaluate, as logits are only had by evaluating. A common prefix
  /// no longer than `replayLength` saves nothing: rebuilding costs as much as evaluating it.
  public static func decide(
    evaluated: [Int32], prompt: [Int32], replayLength: Int
  ) -> PrefixReuse {
    let common = commonPrefix(evaluated, prompt)
    if common == evaluated.count, common > 0, common < prompt.count { return .append(from: common) }
    let kept = min(common, prompt.count - 1)
    return kept > replayLength ? .replay(from: kept) : .startOver
  }

  /// The position of the first token to evaluate.
  public var firstEvaluated: Int {
    switch self {
    case .append(let position), .replay(let position): position
    case .startOver: 0
    }
  }

  /// Number of leading tokens that two lists share.
  static func commonPrefix(_ a: [Int32], _ b: [Int32]) -> Int {
    zip(a, b).prefix { $0 == $1 }.count
  }
}

extension TokenSequence {
  /// Cuts the sequence back to what a prompt shares with it; returns how much that is.
  func reuse(_ prompt: [Int32], ifAllowed: Bool) -> Int {
    let decision: PrefixReuse =
      ifAllowed
      ? .decide(evaluated: tokens, prompt: prompt, replayLength: replayLength) : .startOver
    if case .append = decision {} else { truncate(to: decision.firstEvaluated) }
    return decision.firstEvaluated
  }
}
