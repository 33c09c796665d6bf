/// The tokens' bytes as a tree, flat: nodes lie in the order of a walk that goes down first, so that a
/// subtree is a run of nodes and is skipped by a jump.
struct TokenTrie: Sendable {
  /// The byte that leads to a node, its depth (0 for first bytes), and the node behind its subtree.
  private(set) var bytes: [UInt8] = []
  private(set) var depths: [Int32] = []
  private(set) var ends: [Int32] = []
  /// The tokens that end at a node are `tokens[firstTokens[node]..<firstTokens[node + 1]]`.
  private(set) var firstTokens: [Int32] = [0]
  private(set) var tokens: [Int32] = []
  private(set) var deepest = 0

  var count: Int { bytes.count }

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
  init(_ ids: [Int32], _ pool: [UInt8], _ starts: [Int]) {
    var path: [Int] = []
    var previous = 0..<0
    for id in ids {
      let text = starts[Int(id)]..<starts[Int(id) + 1]
      var shared = 0
      while shared < min(previous.count, text.count),
        pool[previous.lowerBound + shared] == pool[text.lowerBound + shared]
      {
        shared += 1
      }
      while path.count > shared { close(&path) }
      for index in text.dropFirst(shared) {
        depths.append(Int32(path.count))
        path.append(bytes.count)
        bytes.append(pool[index])
        ends.append(0)
        firstTokens.append(Int32(tokens.count))
      }
      deepest = max(deepest, path.count)
      tokens.append(id)
      firstTokens[firstTokens.count - 1] = Int32(tokens.count)
      previous = text
    }
    while !path.isEmpty { close(&path) }
  }

  private mutating func close(_ path: inout [Int]) {
    if let node = path.popLast() { ends[node] = Int32(bytes.count) }
  }

  /// The nodes below `text`: a run that is empty where no token starts with it and is longer.
  func nodes(below text: [UInt8]) -> Range<Int> {
    var range = 0..<count
    for byte in text {
      var node = range.lowerBound
      while node < range.upperBound, bytes[node] != byte { node = Int(ends[node]) }
      guard node < range.upperBound else { return 0..<0 }
      range = (node + 1)..<Int(ends[node])
    }
    return range
  }
}
