/// Splits a template's source into tokens, applying whitespace control: `trim_blocks` and
/// `lstrip_blocks` are on, and one newline at the end of the source is dropped.
struct Lexer {
  let source: [Unicode.Scalar]
  var offset = 0
  var position = SourcePosition.start
  var tokens: [Token] = []
  /// Whether the text that follows starts a line as far as `lstrip_blocks` is concerned.
  private var startsLine = true

  init(_ text: String) {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    var afterReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\r" {
        scalars.append("\n")
      } else if !(scalar == "\n" && afterReturn) {
        scalars.append(scalar)
      }
      afterReturn = scalar == "\r"
    }
    if scalars.last == "\n" { scalars.removeLast() }
    source = scalars
  }

  static func tokens(of text: String) throws(TemplateError) -> [Token] {
    var lexer = Lexer(text)
    while lexer.offset < lexer.source.count { try lexer.readTextAndTag() }
    lexer.emit(.end)
    return lexer.tokens
  }

  private enum Opening: Unicode.Scalar {
    case statement = "%"
    case output = "{"
    case comment = "#"
  }

  /// Reads text up to the next tag, then the tag.
  private mutating func readTextAndTag() throws(TemplateError) {
    let start = offset
    let startPosition = position
    var end = offset
    var opening: Opening?
    while end < source.count {
      if source[end] == "{", end + 1 < source.count, let found = Opening(rawValue: source[end + 1])
      {
        opening = found
        break
      }
      end += 1
    }
    guard let opening else {
      advance(to: end)
      emitText(start..<end, at: startPosition)
      return
    }
    let sign = scalar(at: end + 2)
    let textEnd = strippedEnd(of: start..<end, sign: sign, isBlock: opening != .output)
    advance(to: end)
    emitText(start..<textEnd, at: startPosition)
    let tagPosition = position
    advance(to: end + (sign == "-" || sign == "+" ? 3 : 2))
    switch opening {
    case .comment:
      try skipComment(from: tagPosition)
    case .output:
      emit(.outputBegin, at: tagPosition)
      try readCode(closing: "}", from: tagPosition)
      emit(.outputEnd)
    case .statement:
      if try readRawBlock(from: tagPosition) { break }
      emit(.statementBegin, at: tagPosition)
      try readCode(closing: "%", from: tagPosition)
      emit(.statementEnd)
    }
    startsLine = offset > 0 && source[offset - 1] == "\n"
  }

  /// Where text ends once the tag after it has stripped it: `-` strips all white space before a
  /// tag; block tags alone on the left of their line lose their indentation unless marked with `+`.
  private func strippedEnd(
    of range: Range<Int>, sign: Unicode.Scalar?, isBlock: Bool
  ) -> Int {
    var end = range.upperBound
    if sign == "-" {
      while end > range.lowerBound, source[end - 1].isPythonSpace { end -= 1 }
      return end
    }
    guard isBlock, sign != "+" else { return end }
    while end > range.lowerBound, source[end - 1] != "\n", source[end - 1].isPythonSpace {
      end -= 1
    }
    if end == range.lowerBound { return startsLine ? end : range.upperBound }
    return source[end - 1] == "\n" ? end : range.upperBound
  }

  private mutating func skipComment(from opening: SourcePosition) throws(TemplateError) {
    var end = offset
    while end < source.count, !(source[end] == "#" && scalar(at: end + 1) == "}") { end += 1 }
    guard end < source.count else {
      throw TemplateError(.syntax, "the comment is never closed with '#}'", at: opening)
    }
    let sign = end > offset ? source[end - 1] : nil
    advance(to: end + 2)
    trimAfterBlock(sign: sign)
  }

  /// White space after a block tag: `-` drops all of it, no sign the first newline, `+` nothing.
  private mutating func trimAfterBlock(sign: Unicode.Scalar?) {
    if sign == "-" {
      skipSpace()
    } else if sign != "+", scalar(at: offset) == "\n" {
      advance(to: offset + 1)
    }
  }

  /// Reads `{% raw %}…{% endraw %}` where the tag just opened is one.
  private mutating func readRawBlock(from opening: SourcePosition) throws(TemplateError) -> Bool {
    guard let bodyStart = endOfTag("raw", at: offset) else { return false }
    let strips = bodyStart.sign == "-"
    advance(to: bodyStart.offset)
    if strips { skipSpace() }
    let start = offset
    let startPosition = position
    startsLine = start > 0 && source[start - 1] == "\n"
    var end = start
    while end < source.count {
      if source[end] == "{", scalar(at: end + 1) == "%" {
        let sign = scalar(at: end + 2)
        let nameStart = sign == "-" || sign == "+" ? end + 3 : end + 2
        if let tag = endOfTag("endraw", at: nameStart) {
          let textEnd = strippedEnd(of: start..<end, sign: sign, isBlock: true)
          emitText(start..<textEnd, at: startPosition)
          advance(to: tag.offset)
          trimAfterBlock(sign: tag.sign)
          return true
        }
      }
      end += 1
    }
    throw TemplateError(.syntax, "the raw block is never closed with '{% endraw %}'", at: opening)
  }

  /// The offset after `name` and the end of its tag, when they stand at `start`.
  private func endOfTag(
    _ name: String, at start: Int
  ) -> (offset: Int, sign: Unicode.Scalar?)? {
    var index = start
    while let next = scalar(at: index), next.isPythonSpace { index += 1 }
    for expected in name.unicodeScalars {
      guard scalar(at: index) == expected else { return nil }
      index += 1
    }
    while let next = scalar(at: index), next.isPythonSpace { index += 1 }
    var sign: Unicode.Scalar?
    if let next = scalar(at: index), next == "-" || next == "+" {
      sign = next
      index += 1
    }
    guard scalar(at: index) == "%", scalar(at: index + 1) == "}" else { return nil }
    return (index + 2, sign)
  }

  /// Reads the tokens of a tag through its end, `closing` and a brace.
  private mutating func readCode(
    closing: Unicode.Scalar, from opening: SourcePosition
  ) throws(TemplateError) {
    var brackets: [Token.Symbol] = []
    while true {
      skipSpace()
      guard let next = scalar(at: offset) else {
        throw TemplateError(.syntax, "the tag is never closed with '\(closing)}'", at: opening)
      }
      if brackets.isEmpty, try readEnd(closing: closing, next) { return }
      try readCodeToken(next, &brackets)
    }
  }

  private mutating func readEnd(
    closing: Unicode.Scalar, _ next: Unicode.Scalar
  ) throws(TemplateError) -> Bool {
    let hasSign = next == "-" || (next == "+" && closing == "%")
    let index = hasSign ? offset + 1 : offset
    guard scalar(at: index) == closing, scalar(at: index + 1) == "}" else { return false }
    advance(to: index + 2)
    if closing == "%" {
      trimAfterBlock(sign: hasSign ? next : nil)
    } else if hasSign {
      skipSpace()
    }
    return true
  }

  // MARK: Position

  func scalar(at index: Int) -> Unicode.Scalar? {
    index < source.count ? source[index] : nil
  }

  mutating func advance(to end: Int) {
    while offset < end {
      if source[offset] == "\n" {
        position.line += 1
        position.column = 1
      } else {
        position.column += 1
      }
      offset += 1
    }
  }

  mutating func skipSpace() {
    var end = offset
    while end < source.count, source[end].isPythonSpace { end += 1 }
    advance(to: end)
  }

  mutating func emit(_ kind: Token.Kind, at position: SourcePosition? = nil) {
    tokens.append(Token(kind: kind, position: position ?? self.position))
  }

  private mutating func emitText(_ range: Range<Int>, at position: SourcePosition) {
    guard !range.isEmpty else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for scalar in source[range] { bytes.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
    emit(.text(bytes), at: position)
  }
}
