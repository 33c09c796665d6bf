extension DFA {
  /// The deterministic form of `nfa`, whose states are the sets of states it can be in.
  init(_ nfa: NFA, entry: Int) throws(PatternError) {
    var construction = SubsetConstruction(nfa: nfa)
    self = try construction.run(entry: entry)
  }
}

private struct SubsetConstruction {
  /// Bounds the time that a pattern may take: elements of all sets together.
  private static let workLimit = 1_000_000
  private static let stateLimit = 8_192

  let states: [NFA.State]
  /// The round in which a state was last put into a closure.
  private var marks: [Int]
  private var round = 0
  private var work = 0
  private var numbers: [[Int]: Int] = [:]
  private var sets: [[Int]] = []

  init(nfa: NFA) {
    states = nfa.states
    marks = [Int](repeating: 0, count: states.count)
  }

  mutating func run(entry: Int) throws(PatternError) -> DFA {
    _ = number(of: try closure([entry], atStart: true))
    var edges: [[DFA.Edge]] = []
    var accepts: [Bool] = []
    var edgeCount = 0
    while edges.count < sets.count {
      let set = sets[edges.count]
      accepts.append(try closure(set, atStart: edges.isEmpty, atEnd: true).contains(where: isMatch))
      edges.append(try self.edges(of: set))
      edgeCount += edges[edges.count - 1].count
      guard sets.count <= Self.stateLimit, edgeCount <= DFA.edgeLimit else {
        throw .tooLarge("it needs more than \(Self.stateLimit) states")
      }
    }
    return DFA(states: edges, accepts: accepts)
  }

  private func isMatch(_ state: Int) -> Bool {
    if case .match = states[state] { true } else { false }
  }

  /// The states reachable from `seeds` without a scalar, of those that matter, in order.
  private mutating func closure(
    _ seeds: [Int], atStart: Bool, atEnd: Bool = false
  ) throws(PatternError) -> [Int] {
    round += 1
    var pending = seeds
    var members: [Int] = []
    while let state = pending.popLast() {
      guard marks[state] != round else { continue }
      marks[state] = round
      work += 1
      switch states[state] {
      case .scalars, .match: members.append(state)
      case .split(let a, let b):
        pending.append(a)
        pending.append(b)
      case .jump(let next): pending.append(next)
      case .start(let next): if atStart { pending.append(next) }
      case .end(let next): if atEnd { pending.append(next) } else { members.append(state) }
      }
    }
    guard work <= Self.workLimit else { throw .tooLarge("it takes too many states to follow") }
    members.sort()
    return members
  }

  private mutating func number(of set: [Int]) -> Int {
    if let number = numbers[set] { return number }
    numbers[set] = sets.count
    sets.append(set)
    return sets.count - 1
  }

  /// Cuts the ranges of all members at each other's bounds; within a piece they agree.
  private mutating func edges(of set: [Int]) throws(PatternError) -> [DFA.Edge] {
    var ranges: [(range: ClosedRange<UInt32>, target: Int)] = []
    for state in set {
      guard case .scalars(let scalars, let next) = states[state] else { continue }
      for range in scalars.ranges { ranges.append((range, next)) }
    }
    ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
    var bounds = ranges.flatMap { [$0.range.lowerBound, $0.range.upperBound + 1] }
    bounds.sort()

    var edges: [DFA.Edge] = []
    var targets: [[Int]: Int] = [:]
    var next = 0
    var open: [(range: ClosedRange<UInt32>, target: Int)] = []
    for (bound, following) in zip(bounds, bounds.dropFirst()) where bound < following {
      open.removeAll { $0.range.upperBound < bound }
      while next < ranges.count, ranges[next].range.lowerBound <= bound {
        open.append(ranges[next])
        next += 1
      }
      guard !open.isEmpty else { continue }
      let seeds = open.map(\.target)
      work += seeds.count
      let target: Int
      if let known = targets[seeds] {
        target = known
      } else {
        target = number(of: try closure(seeds, atStart: false))
        targets[seeds] = target
      }
      edges.append(DFA.Edge(first: bound, last: following - 1, target: target))
    }
    return edges
  }
}
