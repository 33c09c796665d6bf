extension JSONParser {
  /// The string whose opening quote stands at the current position.
  mutating func parseString() throws(JSONParseError) -> String {
    let start = position
    position += 1
    var runStart = position
    // Empty until the first escape: most strings are one run of bytes.
    var decoded: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let run = bytes[runStart..<position]
        position += 1
        if decoded.isEmpty { return try validated(run, from: start) }
        decoded += run
        return try validated(decoded[...], from: start)
      case UInt8(ascii: "\\"):
        decoded += bytes[runStart..<position]
        try parseEscape(into: &decoded)
        runStart = position
      case 0..<0x20:
        throw error("a control character must be written as an escape inside a string")
      default:
        position += 1
      }
    }
    throw error("a string is not closed", at: start)
  }

  private func validated(
    _ utf8: ArraySlice<UInt8>, from start: Int
  ) throws(JSONParseError) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw error("a string holds bytes that are not UTF-8", at: start)
    }
    return text
  }

  private mutating func parseEscape(into decoded: inout [UInt8]) throws(JSONParseError) {
    let start = position
    position += 1
    guard let letter = next else { throw error("a string is not closed", at: start) }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(letter)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      decoded +=
        UTF8.encode(try parseUnicodeEscape(from: start)) ?? UTF8.encodedReplacementCharacter
    default: throw error("there is no such escape in JSON", at: start)
    }
  }

  /// The scalar of a `\uXXXX` escape whose digits come next, and of the second half if it is the
  /// first half of a surrogate pair; U+FFFD for a half alone.
  private mutating func parseUnicodeEscape(
    from start: Int
  ) throws(JSONParseError) -> Unicode.Scalar {
    let unit = try parseHexDigits(from: start)
    guard UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: #"\u"#.utf8) else {
      return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }
    let behindFirst = position
    position += 2
    let second = try parseHexDigits(from: behindFirst)
    guard UTF16.isTrailSurrogate(second) else {
      position = behindFirst
      return "\u{FFFD}"
    }
    return UTF16.decode(UTF16.EncodedScalar([unit, second]))
  }

  private mutating func parseHexDigits(from start: Int) throws(JSONParseError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error(#"'\u' must be followed by four hexadecimal digits"#, at: start)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
