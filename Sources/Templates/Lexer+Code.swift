import Foundation

/// Names, numbers, strings and symbols inside of tags.
extension Lexer {
  mutating func readCodeToken(
    _ next: Unicode.Scalar, _ brackets: inout [Token.Symbol]
  ) throws(TemplateError) {
    if next.isASCIIDigit {
      try readNumber()
    } else if next == "_" || next.properties.isXIDStart {
      readName()
    } else if next == "'" || next == "\"" {
      try readString(quote: next)
    } else {
      try readSymbol(next, &brackets)
    }
  }

  private mutating func readName() {
    let start = position
    var end = offset
    while let next = scalar(at: end), next == "_" || next.properties.isXIDContinue { end += 1 }
    let name = text(offset..<end)
    advance(to: end)
    emit(.name(name), at: start)
  }

  private mutating func readSymbol(
    _ next: Unicode.Scalar, _ brackets: inout [Token.Symbol]
  ) throws(TemplateError) {
    let start = position
    let pair = scalar(at: offset + 1).flatMap { Token.Symbol(rawValue: "\(next)\($0)") }
    guard let symbol = pair ?? Token.Symbol(rawValue: "\(next)") else {
      throw TemplateError(.syntax, "unexpected character '\(next)'", at: start)
    }
    switch symbol {
    case .leftBrace: brackets.append(.rightBrace)
    case .leftBracket: brackets.append(.rightBracket)
    case .leftParenthesis: brackets.append(.rightParenthesis)
    case .rightBrace, .rightBracket, .rightParenthesis:
      guard let expected = brackets.popLast() else {
        throw TemplateError(.syntax, "unexpected '\(symbol.rawValue)'", at: start)
      }
      guard expected == symbol else {
        throw TemplateError(
          .syntax, "unexpected '\(symbol.rawValue)', expected '\(expected.rawValue)'", at: start)
      }
    default: break
    }
    advance(to: offset + (pair == nil ? 1 : 2))
    emit(.symbol(symbol), at: start)
  }

  // MARK: Numbers

  private mutating func readNumber() throws(TemplateError) {
    let start = position
    if scalar(at: offset) == "0", let radix = radixOfPrefix(scalar(at: offset + 1)),
      let end = endOfDigits(from: offset + 2, radix: radix, leadingUnderscore: true)
    {
      guard let value = Int(digits(offset + 2..<end), radix: radix) else {
        throw TemplateError(.syntax, "the number does not fit in 64 bits", at: start)
      }
      advance(to: end)
      return emit(.integer(value), at: start)
    }
    guard var end = endOfDigits(from: offset, radix: 10) else { return }
    // A number right after a dot is an index (`x.0.1`), never a fraction.
    let afterDot = offset > 0 && source[offset - 1] == "."
    var isFloat = false
    if !afterDot {
      if scalar(at: end) == ".", let fraction = endOfDigits(from: end + 1, radix: 10) {
        end = fraction
        isFloat = true
      }
      if let exponent = scalar(at: end), exponent == "e" || exponent == "E" {
        let sign = scalar(at: end + 1)
        let digitsStart = sign == "+" || sign == "-" ? end + 2 : end + 1
        if let exponentEnd = endOfDigits(from: digitsStart, radix: 10) {
          end = exponentEnd
          isFloat = true
        }
      }
    }
    let literal = digits(offset..<end)
    if isFloat, let value = Double(literal) {
      emit(.float(value), at: start)
    } else if literal.first == "0", literal.contains(where: { $0 != "0" }) {
      throw TemplateError(.syntax, "a number cannot start with a zero", at: start)
    } else if let value = Int(literal) {
      emit(.integer(value), at: start)
    } else {
      throw TemplateError(.syntax, "the number does not fit in 64 bits", at: start)
    }
    advance(to: end)
  }

  private func radixOfPrefix(_ letter: Unicode.Scalar?) -> Int? {
    switch letter {
    case "b", "B": 2
    case "o", "O": 8
    case "x", "X": 16
    default: nil
    }
  }

  /// The end of digits that may be parted by single underscores; nil where there are none.
  private func endOfDigits(from start: Int, radix: Int, leadingUnderscore: Bool = false) -> Int? {
    var end = start
    var index = start
    if leadingUnderscore, scalar(at: index) == "_" { index += 1 }
    while let next = scalar(at: index), isDigit(next, radix: radix) {
      index += 1
      end = index
      if scalar(at: index) == "_" { index += 1 }
    }
    return end > start ? end : nil
  }

  private func isDigit(_ scalar: Unicode.Scalar, radix: Int) -> Bool {
    guard scalar.isASCII, let value = Character(scalar).hexDigitValue else { return false }
    return value < radix
  }

  private func digits(_ range: Range<Int>) -> String {
    text(range).filter { $0 != "_" }
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: source[range])
    return String(text)
  }

  // MARK: Strings

  private mutating func readString(quote: Unicode.Scalar) throws(TemplateError) {
    let start = position
    var value = String.UnicodeScalarView()
    var index = offset + 1
    while let next = scalar(at: index) {
      if next == quote {
        advance(to: index + 1)
        return emit(.string(String(value)), at: start)
      }
      index += 1
      if next == "\\" {
        try readEscape(&index, into: &value, at: start)
      } else {
        value.append(next)
      }
    }
    throw TemplateError(.syntax, "the string is never closed", at: start)
  }

  private func readEscape(
    _ index: inout Int, into value: inout String.UnicodeScalarView, at start: SourcePosition
  ) throws(TemplateError) {
    guard let letter = scalar(at: index) else { return }
    index += 1
    switch letter {
    case "\n": break
    case "\\", "'", "\"": value.append(letter)
    case "n": value.append("\n")
    case "t": value.append("\t")
    case "r": value.append("\r")
    case "a": value.append("\u{07}")
    case "b": value.append("\u{08}")
    case "f": value.append("\u{0C}")
    case "v": value.append("\u{0B}")
    case "x": value.append(try readHexadecimal(&index, digits: 2, at: start))
    case "u": value.append(try readHexadecimal(&index, digits: 4, at: start))
    case "U": value.append(try readHexadecimal(&index, digits: 8, at: start))
    case "0"..."7":
      var code = letter.value - 48
      var count = 1
      while count < 3, let next = scalar(at: index), ("0"..."7").contains(next) {
        code = code * 8 + next.value - 48
        index += 1
        count += 1
      }
      value.append(Unicode.Scalar(code) ?? "\u{FFFD}")
    default:
      // Unknown escapes stay as they are written.
      value.append("\\")
      value.append(letter)
    }
  }

  private func readHexadecimal(
    _ index: inout Int, digits count: Int, at start: SourcePosition
  ) throws(TemplateError) -> Unicode.Scalar {
    let end = min(index + count, source.count)
    let digits = text(index..<end)
    guard digits.unicodeScalars.count == count, digits.allSatisfy({ $0.isHexDigit && $0.isASCII }),
      let code = UInt32(digits, radix: 16)
    else {
      throw TemplateError(.syntax, "an escape in the string lacks its \(count) digits", at: start)
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw TemplateError(.syntax, "an escape in the string names no Unicode character", at: start)
    }
    index = end
    return scalar
  }
}
