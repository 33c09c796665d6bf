/// A deterministic automaton over Unicode scalar values. State 0 is the start; every state lies on a
/// way from there to an accepting state. Without states it accepts nothing.
struct DFA: Sendable, Equatable {
  struct Edge: Sendable, Equatable {
    var first: UInt32
    var last: UInt32
    var target: Int
  }

  static let stateLimit = 16_384
  static let edgeLimit = 400_000

  /// The edges of all states, by state and then by scalar; those of `state` begin at
  /// `firstEdges[state]`.
  private(set) var edges: [Edge] = []
  private(set) var firstEdges: [Int] = [0]
  private(set) var accepts: [Bool] = []

  var count: Int { accepts.count }
  var isEmpty: Bool { accepts.isEmpty }

  /// Keeps of the given states what leads from state 0 to an accepting one.
  init(states: [[Edge]], accepts: [Bool]) {
    let useful = Self.useful(states, accepts)
    guard useful.first == true else { return }
    var numbers = [Int](repeating: -1, count: states.count)
    numbers[0] = 0
    var order = [0]
    var next = 0
    while next < order.count {
      let state = order[next]
      next += 1
      self.accepts.append(accepts[state])
      for edge in states[state].sorted(by: { $0.first < $1.first }) where useful[edge.target] {
        if numbers[edge.target] < 0 {
          numbers[edge.target] = order.count
          order.append(edge.target)
        }
        append(Edge(first: edge.first, last: edge.last, target: numbers[edge.target]))
      }
      firstEdges.append(edges.count)
    }
  }

  func edges(of state: Int) -> ArraySlice<Edge> { edges[firstEdges[state]..<firstEdges[state + 1]] }

  /// The first edge of `state` that does not lie below `scalar`.
  func edgeIndex(_ state: Int, notBelow scalar: UInt32) -> Int {
    var low = firstEdges[state]
    var high = firstEdges[state + 1]
    while low < high {
      let middle = (low + high) / 2
      if edges[middle].last < scalar { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func next(_ state: Int, _ scalar: UInt32) -> Int? {
    let index = edgeIndex(state, notBelow: scalar)
    guard index < firstEdges[state + 1], edges[index].first <= scalar else { return nil }
    return edges[index].target
  }

  func accepts(_ text: some Sequence<Unicode.Scalar>) -> Bool {
    guard !isEmpty else { return false }
    var state = 0
    for scalar in text {
      guard let target = next(state, scalar.value) else { return false }
      state = target
    }
    return accepts[state]
  }

  private mutating func append(_ edge: Edge) {
    if let last = edges.indices.last, last >= (firstEdges.last ?? 0),
      edges[last].target == edge.target, edges[last].last &+ 1 == edge.first
    {
      edges[last].last = edge.last
    } else {
      edges.append(edge)
    }
  }

  /// Which states reach an accepting one.
  private static func useful(_ states: [[Edge]], _ accepts: [Bool]) -> [Bool] {
    var sources = [[Int]](repeating: [], count: states.count)
    for (state, edges) in states.enumerated() {
      for edge in edges where sources[edge.target].last != state {
        sources[edge.target].append(state)
      }
    }
    var useful = accepts
    var pending = accepts.indices.filter { accepts[$0] }
    while let state = pending.popLast() {
      for source in sources[state] where !useful[source] {
        useful[source] = true
        pending.append(source)
      }
    }
    return useful
  }
}

extension DFA {
  /// Any text at all.
  static let anything = DFA(
    states: [
      ScalarSet.all.ranges.map { Edge(first: $0.lowerBound, last: $0.upperBound, target: 0) }
    ],
    accepts: [true])

  /// Whether every scalar may come next in every state.
  var goesOnWithAnything: Bool {
    !isEmpty
      && (0..<count).allSatisfy { state in
        ScalarSet(edges(of: state).map { $0.first...$0.last }) == .all
      }
  }

  /// What both automata accept.
  func intersection(_ other: DFA) throws(PatternError) -> DFA {
    guard !isEmpty, !other.isEmpty else { return DFA(states: [], accepts: []) }
    struct Pair: Hashable {
      let a: Int
      let b: Int
    }
    var pairs = [Pair(a: 0, b: 0)]
    var numbers = [pairs[0]: 0]
    var states: [[Edge]] = []
    var accepting: [Bool] = []
    var edgeCount = 0
    while states.count < pairs.count {
      let pair = pairs[states.count]
      var edges: [Edge] = []
      for edge in self.edges(of: pair.a) {
        var index = other.edgeIndex(pair.b, notBelow: edge.first)
        while index < other.firstEdges[pair.b + 1], other.edges[index].first <= edge.last {
          let match = other.edges[index]
          let target = Pair(a: edge.target, b: match.target)
          let number = numbers[target] ?? pairs.count
          if number == pairs.count {
            numbers[target] = number
            pairs.append(target)
          }
          edges.append(
            Edge(
              first: max(edge.first, match.first), last: min(edge.last, match.last), target: number)
          )
          index += 1
        }
      }
      edgeCount += edges.count
      guard pairs.count <= Self.stateLimit, edgeCount <= Self.edgeLimit else {
        throw .tooLarge("the conditions together need more than \(Self.stateLimit) states")
      }
      states.append(edges)
      accepting.append(accepts[pair.a] && other.accepts[pair.b])
    }
    return DFA(states: states, accepts: accepting)
  }
}
