extension SchemaCompiler {
  private static let thinkStart = "<think>"
  private static let thinkEnd = "</think>"

  /// The text around a value: blanks where they are flexible, and thinking where it may come first.
  mutating func withReasoning(_ value: Int) -> Int {
    let answer = rules.sequence([gap(), value, gap()])
    switch options.reasoning {
    case .none: return answer
    case .open: return rules.sequence([thinking(), blanks(), answer])
    case .optional:
      let thought = rules.sequence([
        rules.literal(Self.thinkStart), thinking(), blanks(),
      ])
      return rules.sequence([blanks(), rules.optional(thought), answer])
    }
  }

  /// Any text up to the first `</think>`, and that.
  private mutating func thinking() -> Int {
    text("thinking", .raw) { _ in TextRule(DFA(upTo: Self.thinkEnd), spelling: .raw) }
  }
}

extension DFA {
  /// Any text that ends in `marker` and has it nowhere before.
  init(upTo marker: String) {
    let marker = marker.unicodeScalars.map(\.value)
    // State n: the last n scalars are the marker's first n (Knuth, Morris, Pratt).
    var fallbacks = [Int](repeating: 0, count: marker.count + 1)
    var states: [[Edge]] = []
    for state in marker.indices {
      var targets: [UInt32: Int] = [:]
      var from = state
      while true {
        if targets[marker[from]] == nil { targets[marker[from]] = from + 1 }
        if from == 0 { break }
        from = fallbacks[from]
      }
      // How the marker without its first scalar would have been matched.
      if state > 0 { fallbacks[state + 1] = Self.step(marker, fallbacks, state) }
      var edges = targets.map { Edge(first: $0.key, last: $0.key, target: $0.value) }
      for range in ScalarSet(targets.keys.map { $0...$0 }).complement.ranges {
        edges.append(Edge(first: range.lowerBound, last: range.upperBound, target: 0))
      }
      states.append(edges)
    }
    states.append([])
    self.init(states: states, accepts: states.indices.map { $0 == marker.count })
  }

  private static func step(_ marker: [UInt32], _ fallbacks: [Int], _ state: Int) -> Int {
    var length = fallbacks[state]
    while length > 0, marker[length] != marker[state] { length = fallbacks[length] }
    return marker[length] == marker[state] ? length + 1 : 0
  }
}
