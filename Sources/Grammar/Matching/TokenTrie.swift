/// The tokens' bytes as a tree, flat: nodes lie in the order of a walk that goes down first, so that a
/// subtree is a run of nodes and is skipped by a jump.
struct TokenTrie: Sendable {
  struct Node: Sendable {
    /// The node behind this one's subtree.
    var end: Int32
    /// The first token that ends here is `tokens[token]`; those of the next node come behind it.
    var token: Int32
    /// The nodes above this one.
    var depth: UInt16
    /// What leads here from the node above.
    var byte: UInt8
    var endsToken: Bool
  }

  /// Longer tokens are left out.
  static let depthLimit = 4_096

  private(set) var nodes: [Node] = []
  private(set) var tokens: [Int32] = []
  private(set) var deepest = 0

  /// The ids with a text, by their bytes.
  static func sorted(_ pool: [UInt8], _ starts: [Int]) -> [Int32] {
    pool.withUnsafeBufferPointer { pool in
      /// The first eight bytes as a number: it decides nearly every comparison.
      func prefix(_ id: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in starts[id]..<(starts[id] + 8) {
          value = value << 8 | (index < starts[id + 1] ? UInt64(pool[index]) : 0)
        }
        return value
      }
      var entries: [(prefix: UInt64, id: Int32)] = []
      for id in 0..<(starts.count - 1) where starts[id] < starts[id + 1] {
        entries.append((prefix(id), Int32(id)))
      }
      entries.sort { a, b in
        if a.prefix != b.prefix { return a.prefix < b.prefix }
        let (x, y) = (Int(a.id), Int(b.id))
        let left = pool[starts[x]..<starts[x + 1]]
        let right = pool[starts[y]..<starts[y + 1]]
        if left.elementsEqual(right) { return a.id < b.id }
        return left.lexicographicallyPrecedes(right)
      }
      return entries.map(\.id)
    }
  }

  /// `ids` are in the order of `sorted(_:_:)`.
  init(_ ids: some Sequence<Int32>, _ pool: [UInt8], _ starts: [Int]) {
    var path: [Int] = []
    var previous = 0..<0
    for id in ids {
      let text = starts[Int(id)]..<starts[Int(id) + 1]
      guard text.count <= Self.depthLimit else { continue }
      var shared = 0
      while shared < min(previous.count, text.count),
        pool[previous.lowerBound + shared] == pool[text.lowerBound + shared]
      {
        shared += 1
      }
      while path.count > shared { close(&path) }
      for index in text.dropFirst(shared) {
        let depth = UInt16(path.count)
        path.append(nodes.count)
        nodes.append(
          Node(
            end: 0, token: Int32(tokens.count), depth: depth, byte: pool[index],
            endsToken: false))
      }
      deepest = max(deepest, path.count)
      nodes[nodes.count - 1].endsToken = true
      tokens.append(id)
      previous = text
    }
    while !path.isEmpty { close(&path) }
  }

  private mutating func close(_ path: inout [Int]) {
    if let node = path.popLast() { nodes[node].end = Int32(nodes.count) }
  }

  /// The tokens that end at a node.
  func tokens(at node: Int) -> ArraySlice<Int32> {
    let next = node + 1 < nodes.count ? Int(nodes[node + 1].token) : tokens.count
    return tokens[Int(nodes[node].token)..<next]
  }

  /// The nodes below `text`: a run that is empty where no token starts with it and is longer.
  func nodes(below text: [UInt8]) -> Range<Int> {
    var range = 0..<nodes.count
    for byte in text {
      var node = range.lowerBound
      while node < range.upperBound, nodes[node].byte != byte { node = Int(nodes[node].end) }
      guard node < range.upperBound else { return 0..<0 }
      range = (node + 1)..<Int(nodes[node].end)
    }
    return range
  }
}
