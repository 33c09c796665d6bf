import JSON

extension PythonReader {
  /// The number that begins at the current position, signed or not.
  mutating func parseNumber() throws(Failure) -> JSONValue {
    let start = position
    var sign = ""
    if let byte = next, byte.isSign {
      if byte == UInt8(ascii: "-") { sign = "-" }
      position += 1
      skipBlanks()
    }
    let value = try parseUnsigned(sign)
    // `5kg`, `1j`, `1.2.3`: one number must not run into something else.
    if isAtWord || next == UInt8(ascii: ".") { throw .malformed }
    return value ?? .string(text(start..<position))
  }

  /// Nil for a number that JSON lacks.
  private mutating func parseUnsigned(_ sign: String) throws(Failure) -> JSONValue? {
    if let byte = next, byte.isLetter {
      guard Self.nonFiniteNames.contains(parseWord()) else { throw .malformed }
      return nil
    }
    if let radix = radix() {
      position += 2
      if next == UInt8(ascii: "_") { position += 1 }
      return Self.integer(sign, try parseDigits(radix), radix)
    }
    var digits = ""
    var isWhole = true
    if next != UInt8(ascii: ".") { digits = try parseDigits(10) }
    if next == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      let fraction = next?.isDigit == true ? try parseDigits(10) : ""
      if digits.isEmpty, fraction.isEmpty { throw .malformed }
      digits = (digits.isEmpty ? "0" : digits) + "." + (fraction.isEmpty ? "0" : fraction)
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      digits += "e"
      position += 1
      if let byte = next, byte.isSign {
        if byte == UInt8(ascii: "-") { digits += "-" }
        position += 1
      }
      digits += try parseDigits(10)
    }
    if isWhole { return Self.integer(sign, digits, 10) }
    return Self.double(sign, digits)
  }

  /// The base that a prefix such as `0x` at the current position gives.
  private func radix() -> Int? {
    guard next == UInt8(ascii: "0"), position + 1 < bytes.count else { return nil }
    switch bytes[position + 1] | 0x20 {
    case UInt8(ascii: "x"): return 16
    case UInt8(ascii: "o"): return 8
    case UInt8(ascii: "b"): return 2
    default: return nil
    }
  }

  /// Digits, with single underscores between them.
  private mutating func parseDigits(_ radix: Int) throws(Failure) -> String {
    var digits: [UInt8] = []
    while let byte = next, let value = byte.digitValue, value < radix {
      digits.append(byte)
      position += 1
      if next == UInt8(ascii: "_") {
        position += 1
        guard let value = next?.digitValue, value < radix else { throw .malformed }
      }
    }
    if digits.isEmpty { throw .malformed }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func integer(_ sign: String, _ digits: String, _ radix: Int) -> JSONValue? {
    if let value = Int(sign + digits, radix: radix) { return .int(value) }
    if radix == 10 { return double(sign, digits) }
    // The first 64 bits, the last of which also stands for all ones behind it, round as the whole.
    var significand: UInt64 = 0
    var exponent = 0
    for digit in digits.utf8.map({ $0.digitValue ?? 0 }) {
      for place in (0..<radix.trailingZeroBitCount).reversed() {
        let bit = UInt64(digit >> place & 1)
        if significand.leadingZeroBitCount > 0 {
          significand = significand << 1 | bit
        } else {
          significand |= bit
          exponent += 1
        }
      }
    }
    let value = Double(
      sign: sign.isEmpty ? .plus : .minus, exponent: exponent, significand: Double(significand))
    return value.isFinite ? .double(value) : nil
  }

  private static func double(_ sign: String, _ digits: String) -> JSONValue? {
    guard let value = Double(sign + digits), value.isFinite else { return nil }
    return .double(value)
  }
}
