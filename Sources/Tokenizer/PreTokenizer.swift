/// Cuts text into the pieces within which bytes are merged. Each rule is the regular expression a
/// model was trained with, written out as a scanner.
struct PreTokenizer: Sendable {
  enum Pattern: Sendable {
    case gpt2
    case llama3
  }

  let pattern: Pattern
  /// The longest run of digits in a piece: 3 or 1 under `llama3`; under `gpt2` 1 means that digits
  /// are cut out one by one before anything else.
  let digitsPerPiece: Int
  /// Whether a piece that is a token is taken as it is, without merging.
  let takesWholePieces: Bool
  /// Whether raw text starts with the begin-of-text token unless the file says otherwise.
  let addsBOS: Bool

  private static let llama3 = PreTokenizer(
    pattern: .llama3, digitsPerPiece: 3, takesWholePieces: true, addsBOS: true)
  private static let qwen2 = PreTokenizer(
    pattern: .llama3, digitsPerPiece: 1, takesWholePieces: false, addsBOS: false)
  private static let gpt2 = PreTokenizer(
    pattern: .gpt2, digitsPerPiece: .max, takesWholePieces: false, addsBOS: false)
  private static let smollm = PreTokenizer(
    pattern: .gpt2, digitsPerPiece: 1, takesWholePieces: false, addsBOS: false)

  private static let known: [(name: String, rule: PreTokenizer)] = [
    ("lfm2", llama3), ("llama-bpe", llama3), ("llama-v3", llama3), ("llama3", llama3),
    ("qwen2", qwen2), ("deepseek-r1-qwen", qwen2),
    ("gpt-2", gpt2), ("phi-2", gpt2),
    ("smollm", smollm), ("starcoder", smollm), ("refact", smollm), ("command-r", smollm),
    ("codeshell", smollm),
  ]

  static var supportedNames: [String] { known.map(\.name) }

  /// The rule of the name that GGUF files give it, nil for an unknown one.
  static func named(_ name: String) -> PreTokenizer? {
    known.first { $0.name.utf8.elementsEqual(name.utf8) }?.rule
  }

  /// Calls `body` with each piece of `range`, in order; together they cover it.
  func forEachPiece(of bytes: [UInt8], in range: Range<Int>, _ body: (Range<Int>) -> Void) {
    let cutsDigits = pattern == .gpt2 && digitsPerPiece == 1
    let reader = ScalarReader(bytes: bytes, end: range.upperBound, endsAtNumbers: cutsDigits)
    var start = range.lowerBound
    while start < range.upperBound {
      let first = reader.scalar(at: start)
      let end =
        switch (first.scalarClass, pattern) {
        case (.end, _): first.next
        case (_, .gpt2): gpt2PieceEnd(first, at: start, reader)
        case (_, .llama3): llama3PieceEnd(first, at: start, reader)
        }
      body(start..<end)
      start = end
    }
  }
}

extension PreTokenizer {
  /// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
  private func gpt2PieceEnd(
    _ first: ScalarReader.Scalar, at start: Int, _ reader: ScalarReader
  ) -> Int {
    if let end = contractionEnd(first, reader, ignoringCase: false) { return end }
    let head = first.isSpaceCharacter ? reader.scalar(at: first.next) : first
    switch head.scalarClass {
    case .letter, .number, .other:
      return reader.endOfRun(of: head.scalarClass, from: head.next)
    case .space, .newline, .end:
      return whitespaceEnd(from: start, reader, stopsAtNewline: false)
    }
  }

  /// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*`
  /// `|\s*[\r\n]+|\s+(?!\S)|\s+`
  private func llama3PieceEnd(
    _ first: ScalarReader.Scalar, at start: Int, _ reader: ScalarReader
  ) -> Int {
    if let end = contractionEnd(first, reader, ignoringCase: true) { return end }
    switch first.scalarClass {
    case .letter:
      return reader.endOfRun(of: .letter, from: first.next)
    case .number:
      return numberEnd(first, reader)
    case .newline, .end:
      return whitespaceEnd(from: start, reader, stopsAtNewline: true)
    case .space, .other:
      break
    }
    let second = reader.scalar(at: first.next)
    if second.scalarClass == .letter { return reader.endOfRun(of: .letter, from: second.next) }
    let head = first.isSpaceCharacter ? second : first
    if head.scalarClass == .other {
      let end = reader.endOfRun(of: .other, from: head.next)
      return reader.endOfRun(of: .newline, from: end)
    }
    return whitespaceEnd(from: start, reader, stopsAtNewline: true)
  }

  /// `'s|'t|'re|'ve|'m|'ll|'d`
  private func contractionEnd(
    _ first: ScalarReader.Scalar, _ reader: ScalarReader, ignoringCase: Bool
  ) -> Int? {
    guard first.value == 0x27 else { return nil }
    let second = reader.scalar(at: first.next)
    let third = reader.scalar(at: second.next)
    func letter(_ scalar: ScalarReader.Scalar) -> UInt32 {
      guard ignoringCase else { return scalar.value }
      // U+017F, the long s, is a lower-case form of S.
      return scalar.value == 0x17F ? 0x73 : scalar.value | 0x20
    }
    guard second.scalarClass == .letter else { return nil }
    switch (letter(second), letter(third)) {
    case (0x73, _), (0x74, _), (0x6D, _), (0x64, _): return second.next  // s t m d
    case (0x72, 0x65), (0x76, 0x65), (0x6C, 0x6C): return third.next  // re ve ll
    default: return nil
    }
  }

  /// `\p{N}{1,digitsPerPiece}`
  private func numberEnd(_ first: ScalarReader.Scalar, _ reader: ScalarReader) -> Int {
    var end = first.next
    for _ in 1..<digitsPerPiece {
      let scalar = reader.scalar(at: end)
      guard scalar.scalarClass == .number else { break }
      end = scalar.next
    }
    return end
  }

  /// `\s+(?!\S)|\s+`, with `\s*[\r\n]+` before it if `stopsAtNewline`: up to the run's last line
  /// break; else, before text, up to the last whitespace, which goes with the text; else all of it.
  private func whitespaceEnd(
    from start: Int, _ reader: ScalarReader, stopsAtNewline: Bool
  ) -> Int {
    var lastStart = start
    var afterNewline: Int?
    var index = start
    var scalar = reader.scalar(at: index)
    while scalar.scalarClass.isWhitespace {
      if scalar.scalarClass == .newline { afterNewline = scalar.next }
      lastStart = index
      index = scalar.next
      scalar = reader.scalar(at: index)
    }
    if stopsAtNewline, let afterNewline { return afterNewline }
    return scalar.scalarClass == .end || lastStart == start ? index : lastStart
  }
}
