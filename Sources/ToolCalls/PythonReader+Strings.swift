extension PythonReader {
  /// Whether a string, with or without a prefix, begins at the current position.
  var isAtString: Bool {
    let quote = bytes[position...].prefix(3).first { !$0.isLetter }
    return quote?.isQuote == true
  }

  /// One or more strings in a row, which Python joins.
  mutating func parseStrings() throws(Failure) -> String {
    var decoded: [UInt8] = []
    var end: Int
    repeat {
      try parseString(into: &decoded)
      end = position
      skipBlanks()
    } while isAtString
    position = end
    return String(decoding: decoded, as: UTF8.self)
  }

  private mutating func parseString(into decoded: inout [UInt8]) throws(Failure) {
    var isRaw = false
    switch parseWord() {
    case "", "u", "U": break
    case "r", "R": isRaw = true
    // Bytes and f-strings.
    default: throw .malformed
    }
    guard let quote = next else { throw .malformed }
    let isTriple = bytes[position...].starts(with: [quote, quote, quote])
    position += isTriple ? 3 : 1
    var runStart = position
    var innerQuotes = InnerQuotes()
    while let byte = next {
      if byte == quote {
        if endsString(quote, isTriple: isTriple) {
          decoded += bytes[runStart..<position]
          position += isTriple ? 3 : 1
          return
        }
        if !isTriple, !innerQuotes.allow(bytes, at: position) { throw .malformed }
        position += 1
      } else if byte == UInt8(ascii: "\\") {
        if isRaw {
          // The backslash keeps a quote from ending the string, and stays.
          position = min(position + 2, bytes.count)
        } else {
          decoded += bytes[runStart..<position]
          parseEscape(into: &decoded)
          runStart = position
        }
      } else {
        position += 1
      }
    }
    throw .unterminatedString
  }

  /// Whether the quote at the current position ends its string.
  private func endsString(_ quote: UInt8, isTriple: Bool) -> Bool {
    if isTriple { return bytes[position...].starts(with: [quote, quote, quote]) }
    guard isLenient else { return true }
    var place = position + 1
    while let length = blankLength(at: place) { place += length }
    return place >= bytes.count || ",)]}:".utf8.contains(bytes[place])
  }

  /// The escape whose backslash stands at the current position. A backslash that begins none stays,
  /// as in Python, where it is an error too: `C:\Users` is worth more than no call.
  private mutating func parseEscape(into decoded: inout [UInt8]) {
    position += 1
    guard let letter = next else { return }
    let simple: UInt8?
    switch letter {
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): simple = letter
    case UInt8(ascii: "a"): simple = 0x07
    case UInt8(ascii: "b"): simple = 0x08
    case UInt8(ascii: "t"): simple = 0x09
    case UInt8(ascii: "n"): simple = 0x0A
    case UInt8(ascii: "v"): simple = 0x0B
    case UInt8(ascii: "f"): simple = 0x0C
    case UInt8(ascii: "r"): simple = 0x0D
    default: simple = nil
    }
    if let simple {
      position += 1
      decoded.append(simple)
    } else if letter == 0x0A || letter == 0x0D {
      // A line that goes on.
      position += 1
      if letter == 0x0D, next == 0x0A { position += 1 }
    } else if let scalar = parseNumericEscape(letter) {
      decoded += Array(String(scalar).utf8)
    } else {
      decoded.append(UInt8(ascii: "\\"))
    }
  }

  /// `\x41`, `\u0041`, `\U00000041` and `\101`, from the letter on; nil, and nothing is consumed,
  /// if the digits are not there.
  private mutating func parseNumericEscape(_ letter: UInt8) -> Unicode.Scalar? {
    switch letter {
    case UInt8(ascii: "x"): return parseHexEscape(digits: 2)
    case UInt8(ascii: "u"): return parseHexEscape(digits: 4)
    case UInt8(ascii: "U"): return parseHexEscape(digits: 8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value: UInt32 = 0
      for _ in 0..<3 {
        guard let digit = next?.digitValue, digit < 8 else { break }
        value = value << 3 | UInt32(digit)
        position += 1
      }
      return Unicode.Scalar(value)
    default: return nil
    }
  }

  /// Two halves of a surrogate pair, as JSON spells them, make one scalar; a half alone becomes
  /// U+FFFD.
  private mutating func parseHexEscape(digits: Int) -> Unicode.Scalar? {
    guard let value = hexValue(at: position + 1, digits: digits), value <= 0x10FFFF else {
      return nil
    }
    position += 1 + digits
    if let scalar = Unicode.Scalar(value) { return scalar }
    guard value < 0xDC00, bytes[position...].starts(with: #"\u"#.utf8),
      let second = hexValue(at: position + 2, digits: 4), (0xDC00...0xDFFF).contains(second)
    else { return "\u{FFFD}" }
    position += 6
    return Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (second - 0xDC00))
  }

  private func hexValue(at place: Int, digits: Int) -> UInt32? {
    guard place + digits <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[place..<place + digits] {
      guard let digit = byte.digitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

/// The quotes inside a string that were not escaped. Tells those of a text from those of code
/// that is no literal (`'a' + 'b'`) or that follows a string without an end.
private struct InnerQuotes {
  private var isFirst = true
  private var mustBeLast = false

  mutating func allow(_ bytes: [UInt8], at place: Int) -> Bool {
    defer { isFirst = false }
    if mustBeLast { return false }
    let isBeforeWord = place + 1 < bytes.count && bytes[place + 1].isWord
    if isFirst { mustBeLast = !isBeforeWord }
    let before = bytes[..<place].last { $0 != 0x20 }
    return !isBeforeWord || before.map { "=,([{".utf8.contains($0) } != true
  }
}
