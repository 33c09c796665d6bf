/// A nondeterministic automaton over Unicode scalar values, put together from fragments.
///
/// Every fragment owns a contiguous run of states that only refer to each other, so that a repetition
/// copies it by shifting numbers.
struct NFA {
  enum State {
    case scalars(ScalarSet, next: Int)
    case split(Int, Int)
    case jump(Int)
    /// Passable only in front of the text's first scalar.
    case start(next: Int)
    /// Passable only behind the text's last scalar.
    case end(next: Int)
    case match
  }

  struct Fragment {
    var first: Int
    var entry: Int
    /// A `jump` that leads nowhere yet.
    var exit: Int
  }

  static let stateLimit = 20_000
  private static let nowhere = -1

  private(set) var states: [State] = []

  mutating func empty() throws(PatternError) -> Fragment {
    let exit = try append(.jump(Self.nowhere))
    return Fragment(first: exit, entry: exit, exit: exit)
  }

  mutating func scalars(_ set: ScalarSet) throws(PatternError) -> Fragment {
    try step { .scalars(set, next: $0) }
  }

  mutating func startAssertion() throws(PatternError) -> Fragment {
    try step { .start(next: $0) }
  }

  mutating func endAssertion() throws(PatternError) -> Fragment { try step { .end(next: $0) } }

  mutating func concatenation(_ head: Fragment, _ tail: Fragment) -> Fragment {
    states[head.exit] = .jump(tail.entry)
    return Fragment(first: head.first, entry: head.entry, exit: tail.exit)
  }

  mutating func alternation(_ branches: [Fragment]) throws(PatternError) -> Fragment {
    guard let last = branches.last else { return try empty() }
    let exit = try append(.jump(Self.nowhere))
    states[last.exit] = .jump(exit)
    var entry = last.entry
    for branch in branches.dropLast().reversed() {
      states[branch.exit] = .jump(exit)
      entry = try append(.split(branch.entry, entry))
    }
    return Fragment(first: branches.map(\.first).min() ?? exit, entry: entry, exit: exit)
  }

  /// `fragment`, the last one made, `minimum` to `maximum` times (nil: without end).
  mutating func repetition(
    _ fragment: Fragment, minimum: Int, maximum: Int?
  ) throws(PatternError) -> Fragment {
    let size = states.count - fragment.first
    let copies = max(minimum, maximum ?? max(minimum, 1))
    guard copies <= Self.stateLimit, size * copies <= Self.stateLimit else {
      throw .tooLarge("it repeats a part more often than can be followed")
    }
    let original = Array(states[fragment.first...])
    let exit = try append(.jump(Self.nowhere))
    var result = Fragment(first: fragment.first, entry: exit, exit: exit)
    // From the last copy to the first, so that each knows what follows it.
    for index in (0..<copies).reversed() {
      var copy = fragment
      if index > 0 { copy = try append(original, at: fragment) }
      if index >= minimum {
        let skip = try append(.split(copy.entry, exit))
        states[copy.exit] = .jump(maximum == nil ? skip : result.entry)
        result.entry = skip
      } else if maximum == nil, index == copies - 1 {
        // x{m,}: the last of the m copies may come again.
        states[copy.exit] = .jump(try append(.split(copy.entry, exit)))
        result.entry = copy.entry
      } else {
        states[copy.exit] = .jump(result.entry)
        result.entry = copy.entry
      }
    }
    return result
  }

  mutating func finish(_ fragment: Fragment) throws(PatternError) -> Int {
    states[fragment.exit] = .jump(try append(.match))
    return fragment.entry
  }

  private mutating func append(_ state: State) throws(PatternError) -> Int {
    guard states.count < Self.stateLimit else {
      throw .tooLarge("it needs more than \(Self.stateLimit) states")
    }
    states.append(state)
    return states.count - 1
  }

  private mutating func step(_ state: (Int) -> State) throws(PatternError) -> Fragment {
    let exit = try append(.jump(Self.nowhere))
    let entry = try append(state(exit))
    return Fragment(first: exit, entry: entry, exit: exit)
  }

  /// A copy of the states of `fragment`, which began at `fragment.first`.
  private mutating func append(
    _ original: [State], at fragment: Fragment
  ) throws(PatternError) -> Fragment {
    guard states.count + original.count <= Self.stateLimit else {
      throw .tooLarge("it needs more than \(Self.stateLimit) states")
    }
    let shift = states.count - fragment.first
    func moved(_ target: Int) -> Int { target < 0 ? target : target + shift }
    for state in original {
      switch state {
      case .scalars(let set, let next): states.append(.scalars(set, next: moved(next)))
      case .split(let a, let b): states.append(.split(moved(a), moved(b)))
      case .jump(let next): states.append(.jump(moved(next)))
      case .start(let next): states.append(.start(next: moved(next)))
      case .end(let next): states.append(.end(next: moved(next)))
      case .match: states.append(.match)
      }
    }
    return Fragment(
      first: fragment.first + shift, entry: fragment.entry + shift, exit: fragment.exit + shift)
  }
}
