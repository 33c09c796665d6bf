extension Tokenizer {
  /// The tokens of `text`. With `addBOS` they begin with `bosToken`, which is added unless the text
  /// itself begins with it.
  ///
  /// Bytes for which the vocabulary has no token (some lack rare control characters) are left out
  /// before anything is merged.
  public func encode(
    _ text: String, special: SpecialTokens = .plain, addBOS: Bool = false
  ) -> [Int32] {
    encode(utf8: Array(text.utf8), special: special, addBOS: addBOS)
  }

  /// The tokens of bytes that should be UTF-8: each longest invalid stretch counts as U+FFFD.
  public func encode(
    bytes: [UInt8], special: SpecialTokens = .plain, addBOS: Bool = false
  ) -> [Int32] {
    encode(String(decoding: bytes, as: UTF8.self), special: special, addBOS: addBOS)
  }

  /// The tokens of a rendered prompt. They are those of the whole text with special tokens parsed,
  /// except that no control token is made of data or across its borders.
  public func encode(_ runs: [TextRun]) -> [Int32] {
    var bytes: [UInt8] = []
    var template: [Range<Int>] = []
    for run in runs where !run.text.isEmpty {
      let start = bytes.count
      bytes.append(contentsOf: run.text.utf8)
      guard run.isTemplate else { continue }
      if let last = template.last, last.upperBound == start {
        template[template.count - 1] = last.lowerBound..<bytes.count
      } else {
        template.append(start..<bytes.count)
      }
    }
    return encode(bytes, controlRanges: template)
  }

  private func encode(utf8 bytes: [UInt8], special: SpecialTokens, addBOS: Bool) -> [Int32] {
    let ids = encode(bytes, controlRanges: special == .parse ? [0..<bytes.count] : [])
    guard addBOS, let bosToken, ids.first != bosToken else { return ids }
    return [bosToken] + ids
  }

  /// Encodes valid UTF-8; control tokens are recognised inside `controlRanges` (ascending, apart).
  private func encode(_ bytes: [UInt8], controlRanges: [Range<Int>]) -> [Int32] {
    var output: [Int32] = []
    output.reserveCapacity(bytes.count / 3)
    var merger = BytePairMerger(merges)
    var ranges = controlRanges[...]
    var start = 0
    var position = 0
    while position < bytes.count {
      while let range = ranges.first, range.upperBound <= position { ranges.removeFirst() }
      let controlEnd = ranges.first.map { $0.contains(position) ? $0.upperBound : 0 } ?? 0
      if let match = specialTokens.longestMatch(in: bytes, at: position, controlEnd: controlEnd) {
        encodeText(bytes, start..<position, &merger, into: &output)
        output.append(match.id)
        start = match.end
        position = match.end
      } else {
        position += 1
      }
    }
    encodeText(bytes, start..<bytes.count, &merger, into: &output)
    return output
  }

  private func encodeText(
    _ bytes: [UInt8], _ range: Range<Int>, _ merger: inout BytePairMerger,
    into output: inout [Int32]
  ) {
    var spelling: [UInt8] = []
    preTokenizer.forEachPiece(of: bytes, in: range) { piece in
      if preTokenizer.takesWholePieces {
        spelling.removeAll(keepingCapacity: true)
        ByteAlphabet.spell(bytes[piece], into: &spelling)
        if let id = index.id(of: spelling[...], in: tokens), kinds[Int(id)].isText {
          output.append(id)
          return
        }
      }
      // Positions within a piece are 32-bit; nothing real comes near the limit.
      for start in stride(from: piece.lowerBound, to: piece.upperBound, by: Self.pieceLimit) {
        let part = bytes[start..<min(start + Self.pieceLimit, piece.upperBound)]
        merger.merge(part.lazy.compactMap { self.byteTokens[Int($0)] }, into: &output)
      }
    }
  }
}
