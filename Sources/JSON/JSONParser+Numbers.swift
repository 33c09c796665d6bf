extension JSONParser {
  /// The number that begins at the current position.
  mutating func parseNumber() throws(JSONParseError) -> JSONValue {
    let start = position
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { position += 1 }

    let integerStart = position
    try skipDigits("a digit")
    if bytes[integerStart] == UInt8(ascii: "0"), position - integerStart > 1 {
      throw error("a number must not begin with a zero", at: integerStart)
    }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try skipDigits("a digit behind the decimal point")
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { position += 1 }
      try skipDigits("a digit of the exponent")
    }

    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let value = Int(text) { return .int(value) }
    guard let value = Double(text), value.isFinite else {
      throw error("a number is too big for a double", at: start)
    }
    return .double(value)
  }

  private mutating func skipDigits(_ expected: String) throws(JSONParseError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw unexpected(expected: expected) }
  }
}
