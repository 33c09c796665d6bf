/// Substring search in time linear in the text, whatever the text (Knuth, Morris, Pratt).
struct ByteSearch {
  private let pattern: [UInt8]
  /// For each prefix of the pattern, the length of its longest proper border.
  private let borders: [Int]

  init(_ pattern: [UInt8]) {
    self.pattern = pattern
    var borders = [Int](repeating: 0, count: pattern.count)
    var length = 0
    for index in pattern.indices.dropFirst() {
      while length > 0, pattern[index] != pattern[length] { length = borders[length - 1] }
      if pattern[index] == pattern[length] { length += 1 }
      borders[index] = length
    }
    self.borders = borders
  }

  /// The first occurrence that lies within a range of the text.
  func first(in text: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    guard let first = pattern.first else { return range.lowerBound..<range.lowerBound }
    var matched = 0
    var index = range.lowerBound
    while index < range.upperBound {
      if matched == 0 {
        while index < range.upperBound, text[index] != first { index += 1 }
        guard index < range.upperBound else { return nil }
      }
      while matched > 0, text[index] != pattern[matched] { matched = borders[matched - 1] }
      if text[index] == pattern[matched] { matched += 1 }
      index += 1
      if matched == pattern.count { return index - matched..<index }
    }
    return nil
  }

  /// Occurrences from left to right that do not overlap, at most `limit`. An empty pattern occurs
  /// before each scalar and at the end.
  func forEach(
    in text: [UInt8], limit: Int, _ body: (Range<Int>) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    var start = 0
    var count = 0
    while count < limit, start <= text.count, let match = first(in: text, start..<text.count) {
      try body(match)
      count += 1
      start = match.upperBound
      if match.isEmpty {
        start += 1
        while start < text.count, text[start] & 0xC0 == 0x80 { start += 1 }
      }
    }
  }

  /// The occurrences that `forEach` visits.
  func all(in text: [UInt8], limit: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while found.count < limit, let match = first(in: text, start..<text.count), !match.isEmpty {
      found.append(match)
      start = match.upperBound
    }
    return found
  }
}

extension [UInt8] {
  func firstRange(of pattern: [UInt8], in range: Range<Int>) -> Range<Int>? {
    ByteSearch(pattern).first(in: self, range)
  }

  func lastRange(of pattern: [UInt8], in range: Range<Int>) -> Range<Int>? {
    rangesFromEnd(of: pattern, in: range, limit: 1).first
  }

  /// Occurrences from right to left that do not overlap.
  func rangesFromEnd(of pattern: [UInt8], in range: Range<Int>, limit: Int) -> [Range<Int>] {
    let backwards = [UInt8](self[range].reversed())
    let search = ByteSearch(pattern.reversed())
    return search.all(in: backwards, limit: limit).map {
      range.upperBound - $0.upperBound..<range.upperBound - $0.lowerBound
    }
  }
}
