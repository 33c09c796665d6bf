/// The latest tokens and how often each occurs among them: what the penalties need.
struct PenaltyWindow: Sendable {
  /// Occurrences per token id within the window.
  private var counts: [Int32]
  /// Limited window: a ring of the latest tokens, oldest at `start`. Unlimited: each distinct
  /// token once.
  private var tokens: [Int32] = []
  private var start = 0
  /// nil where the window has no limit.
  private let capacity: Int?

  /// `lastN` as in `SamplingOptions.penaltyLastN`, not 0.
  init(lastN: Int, vocabularySize: Int) {
    capacity = lastN < 0 ? nil : lastN
    counts = [Int32](repeating: 0, count: vocabularySize)
    tokens.reserveCapacity(min(capacity ?? 1024, 1024))
  }

  mutating func append(_ token: Int32) {
    guard token >= 0, Int(token) < counts.count else { return }
    if let capacity {
      if tokens.count < capacity {
        tokens.append(token)
      } else {
        counts[Int(tokens[start])] -= 1
        tokens[start] = token
        start = start + 1 == capacity ? 0 : start + 1
      }
    } else if counts[Int(token)] == 0 {
      tokens.append(token)
    }
    // A count can only stop growing after 2^31 repetitions of one token.
    if counts[Int(token)] < .max { counts[Int(token)] += 1 }
  }

  /// Lowers the logits (one per token id) of the tokens in the window, each once.
  mutating func penalise(_ logits: inout [Float], _ options: SamplingOptions) {
    // A negative count marks a token that was dealt with and occurs again in the ring.
    for token in tokens where counts[Int(token)] > 0 {
      let index = Int(token)
      let logit = logits[index]
      logits[index] =
        (logit > 0 ? logit / options.repetitionPenalty : logit * options.repetitionPenalty)
        - Float(counts[index]) * options.frequencyPenalty - options.presencePenalty
      counts[index] = -counts[index]
    }
    for token in tokens where counts[Int(token)] < 0 {
      counts[Int(token)] = -counts[Int(token)]
    }
  }
}
