/// One kind of work, measured several times.
struct Measurement {
  enum Work: Equatable {
    /// A prompt of so many tokens.
    case prompt(Int)
    /// So many tokens, one after the other.
    case generation(Int)
    /// Answers that follow a JSON Schema.
    case schema
    /// Answers of the same lengths without it, sampled in the same way.
    case free
  }

  let work: Work
  /// Tokens already in the context.
  let depth: Int
  /// Tokens per second of each repetition.
  let speeds: [Double]

  /// `pp512`, `tg128 @ d4096`, `schema`.
  static func name(_ work: Work, depth: Int) -> String {
    let work =
      switch work {
      case .prompt(let count): "pp\(count)"
      case .generation(let count): "tg\(count)"
      case .schema: "schema"
      case .free: "free"
      }
    return depth == 0 ? work : "\(work) @ d\(depth)"
  }

  var name: String { Self.name(work, depth: depth) }

  var tokensPerSecond: Statistics { Statistics(samples: speeds) }
}

extension Measurement.Work {
  /// The number of tokens, where the work says it.
  var tokenCount: Int {
    switch self {
    case .prompt(let count), .generation(let count): count
    case .schema, .free: 0
    }
  }
}
