/// Finds tokens that are recognised in raw text, before it is cut into pieces: the longest at a
/// place.
struct SpecialTokenMatcher: Sendable {
  struct Match {
    let id: Int32
    let end: Int
  }

  private struct Entry {
    let id: Int32
    let text: [UInt8]
    let isControl: Bool
  }

  /// Sorted by text, so that the entries that share a prefix lie beside each other.
  private let entries: [Entry]
  /// The entries that begin with each byte.
  private let entriesByFirstByte: [Range<Int>]

  init(_ tokens: ByteStrings, _ kinds: [TokenKind]) {
    var entries: [Entry] = []
    for (id, kind) in kinds.enumerated() where kind == .userDefined || kind.isControl {
      guard !tokens[id].isEmpty else { continue }
      entries.append(
        Entry(
          id: Int32(truncatingIfNeeded: id), text: Array(tokens[id]), isControl: kind.isControl))
    }
    entries.sort { $0.text.lexicographicallyPrecedes($1.text) }
    self.entries = entries
    var ranges = [Range<Int>](repeating: 0..<0, count: 256)
    for (index, entry) in entries.enumerated() {
      let first = Int(entry.text[0])
      ranges[first] = (ranges[first].isEmpty ? index : ranges[first].lowerBound)..<index + 1
    }
    entriesByFirstByte = ranges
  }

  /// The longest token at `index`. Control tokens must end by `controlEnd`.
  func longestMatch(in bytes: [UInt8], at index: Int, controlEnd: Int) -> Match? {
    var range = entriesByFirstByte[Int(bytes[index])]
    var best: Match?
    var depth = 1
    while !range.isEmpty {
      // Within the range all share `depth` bytes; one that has no more comes first.
      let entry = entries[range.lowerBound]
      if entry.text.count == depth {
        let end = index + depth
        if !entry.isControl || end <= controlEnd { best = Match(id: entry.id, end: end) }
        range.removeFirst()
      }
      guard index + depth < bytes.count else { break }
      let byte = bytes[index + depth]
      let lower = firstEntry(in: range) { $0[depth] >= byte }
      let upper = firstEntry(in: lower..<range.upperBound) { $0[depth] > byte }
      range = lower..<upper
      depth += 1
    }
    return best
  }

  /// The first entry of a range for which a condition holds that holds for all after it as well.
  private func firstEntry(in range: Range<Int>, where holds: ([UInt8]) -> Bool) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if holds(entries[middle].text) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
