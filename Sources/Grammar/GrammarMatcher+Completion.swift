extension GrammarMatcher {
  /// A short text that makes a whole answer of what was accepted so far and `text`; nil if `text` is
  /// not allowed here or no such text of up to `limit` bytes is found. Whatever is open is closed as
  /// soon as the grammar lets it. The matcher stays where it is.
  public mutating func completion(after text: some Sequence<UInt8>, limit: Int) -> [UInt8]? {
    // Where the matcher stands, and how far the completion has come.
    var kept = [state, state]
    defer { state = kept[0] }
    for byte in text {
      if automaton.isFull { automaton.forget(keeping: &kept) }
      kept[1] = automaton.next(kept[1], byte)
      if kept[1] == Automaton.dead { return nil }
    }
    var completion: [UInt8] = []
    var visited: Set<Int32> = []
    while !automaton.isComplete(kept[1]) {
      guard completion.count < limit else { return nil }
      if automaton.isFull {
        automaton.forget(keeping: &kept)
        visited = []
      }
      visited.insert(kept[1])
      guard let byte = closingByte(kept[1], visited) else { return nil }
      kept[1] = automaton.next(kept[1], byte)
      completion.append(byte)
    }
    return completion
  }

  /// The byte that is likely to lead to the end soonest. What was visited is avoided where there is
  /// a choice: a pattern must not be walked in circles.
  private mutating func closingByte(_ place: Int32, _ visited: Set<Int32>) -> UInt8? {
    var fallback: UInt8?
    for byte in isInsideString(place) ? Self.stringOrder : Self.structureOrder {
      let next = automaton.next(place, byte)
      if next == Automaton.dead { continue }
      if !visited.contains(next) { return byte }
      fallback = fallback ?? byte
    }
    return fallback
  }

  private mutating func isInsideString(_ place: Int32) -> Bool {
    "az\"".utf8.allSatisfy { automaton.next(place, $0) != Automaton.dead }
  }

  private static let stringOrder = order(startingWith: "\"")
  private static let structureOrder = order(startingWith: "}],\"0123456789")

  /// All bytes; the backslash, which opens more than it closes, last.
  private static func order(startingWith first: String) -> [UInt8] {
    let first = Array(first.utf8)
    let backslash = UInt8(ascii: "\\")
    return first
      + (UInt8.min...UInt8.max).filter { !first.contains($0) && $0 != backslash } + [backslash]
  }
}
