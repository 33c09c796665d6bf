/// Watches a growing text for stop texts. Holds back only what may still turn into one, and
/// releases it when it does not. Compares bytes, so it never cuts inside a character.
struct StopFilter {
  private let stops: [[UInt8]]
  private var held: [UInt8] = []
  /// A stop text has appeared; nothing is let through any more.
  private(set) var isStopped = false

  /// Empty stop texts are ignored.
  init(stops: [String]) {
    self.stops = stops.filter { !$0.isEmpty }.map { Array($0.utf8) }
  }

  /// Returns what of the text so far is certain not to be part of a stop text.
  mutating func append(_ text: String) -> String {
    if isStopped { return "" }
    if stops.isEmpty { return text }
    held.append(contentsOf: text.utf8)
    if let start = firstStop() {
      isStopped = true
      held.removeSubrange(start...)
      return finish()
    }
    let kept = longestPossibleStart()
    let released = held.prefix(held.count - kept)
    held.removeFirst(released.count)
    return String(decoding: released, as: UTF8.self)
  }

  /// Releases what is still held back, at the end of the text.
  mutating func finish() -> String {
    defer { held.removeAll(keepingCapacity: true) }
    return String(decoding: held, as: UTF8.self)
  }

  /// Where the earliest stop text starts.
  private func firstStop() -> Int? {
    held.indices.first { start in
      stops.contains { held[start...].starts(with: $0) }
    }
  }

  /// Length of the longest tail that a stop text may start with.
  private func longestPossibleStart() -> Int {
    let longest = min(held.count, (stops.map(\.count).max() ?? 1) - 1)
    return (1...max(1, longest)).last { length in
      length <= longest && stops.contains { $0.starts(with: held.suffix(length)) }
    } ?? 0
  }
}
