/// One kind of work, measured several times.
struct Measurement {
  enum Work: Equatable {
    /// A prompt of so many tokens.
    case prompt(Int)
    /// So many tokens, one after the other.
    case generation(Int)
  }

  let work: Work
  /// Tokens already in the context.
  let depth: Int
  /// Seconds of each repetition.
  let seconds: [Double]

  var tokenCount: Int {
    switch work {
    case .prompt(let count), .generation(let count): count
    }
  }

  /// `pp512`, `tg128 @ d4096`.
  var name: String {
    let work =
      switch work {
      case .prompt(let count): "pp\(count)"
      case .generation(let count): "tg\(count)"
      }
    return depth == 0 ? work : "\(work) @ d\(depth)"
  }

  var tokensPerSecond: Statistics {
    Statistics(samples: seconds.map { $0 > 0 ? Double(tokenCount) / $0 : 0 })
  }
}
