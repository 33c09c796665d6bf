extension RegularExpressionParser {
  /// The scalars that the single scalar, escape, class or dot at the current position stands for.
  mutating func parseSet() throws(PatternError) -> ScalarSet {
    guard let scalar = next else { throw malformed("the expression ends too early") }
    advance()
    switch scalar {
    case ".": return ScalarSet.lineBreaks.complement
    case "\\": return try parseEscape(inClass: false)
    case "[": return try parseClass()
    case "(", ")", "*", "+", "?", "{", "}", "]", "|", "^", "$":
      throw malformed("'\(scalar)' must be escaped")
    default: return ScalarSet(scalar)
    }
  }

  /// A class behind its `[`.
  private mutating func parseClass() throws(PatternError) -> ScalarSet {
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    while let scalar = next, scalar != "]" {
      let first = try parseClassMember()
      let dash = position
      guard let low = first.single, take("-"), next != "]", next != nil else {
        // A dash that ends a class, or follows a set, stands for itself.
        ranges += first.ranges
        if position > dash { ranges.append(0x2D...0x2D) }
        continue
      }
      let last = try parseClassMember()
      guard let high = last.single else {
        throw malformed("a range in a class ends in a set")
      }
      guard low <= high else { throw malformed("a range in a class is in the wrong order") }
      ranges.append(low...high)
    }
    guard take("]") else { throw malformed("a class is not closed by ']'") }
    // Of surrogates in a range nothing is left: they are no scalar values.
    let set = ScalarSet(ranges).complement
    return isNegated ? set : set.complement
  }

  private mutating func parseClassMember() throws(PatternError) -> ScalarSet {
    guard let scalar = next else { throw malformed("a class is not closed by ']'") }
    advance()
    return scalar == "\\" ? try parseEscape(inClass: true) : ScalarSet(scalar)
  }

  /// An escape behind its backslash.
  private mutating func parseEscape(inClass: Bool) throws(PatternError) -> ScalarSet {
    guard let scalar = next else { throw malformed("the expression ends in a backslash") }
    advance()
    switch scalar {
    case "d": return .digits
    case "D": return ScalarSet.digits.complement
    case "w": return .wordScalars
    case "W": return ScalarSet.wordScalars.complement
    case "s": return .blanks
    case "S": return ScalarSet.blanks.complement
    case "t": return ScalarSet("\t")
    case "n": return ScalarSet("\n")
    case "r": return ScalarSet("\r")
    case "f": return ScalarSet("\u{C}")
    case "v": return ScalarSet("\u{B}")
    case "b" where inClass: return ScalarSet("\u{8}")
    case "b", "B": throw .unsupported("the word boundary '\\\(scalar)'")
    case "p", "P": throw .unsupported("the Unicode property '\\\(scalar)'")
    case "k": throw .unsupported("back-references")
    case "1"..."9": throw .unsupported("back-references")
    case "0": return ScalarSet("\0")
    case "c":
      guard let letter = next, letter.isASCIILetter else {
        throw malformed("'\\c' is followed by no letter")
      }
      advance()
      return ScalarSet([(letter.value % 32)...(letter.value % 32)])
    case "x": return try parseHexEscape(digits: 2)
    case "u": return try parseUnicodeEscape()
    default:
      guard !scalar.isASCIILetter else {
        throw .unsupported("the escape '\\\(scalar)'")
      }
      return ScalarSet(scalar)
    }
  }

  private mutating func parseUnicodeEscape() throws(PatternError) -> ScalarSet {
    if take("{") {
      var value: UInt32 = 0
      var count = 0
      while let digit = next?.hexDigitValue {
        value = value &* 16 &+ digit
        count += 1
        advance()
        guard value <= ScalarSet.last else { break }
      }
      guard count > 0, take("}"), let scalar = Unicode.Scalar(value) else {
        throw malformed("'\\u{…}' holds no code point")
      }
      return ScalarSet(scalar)
    }
    let high = try parseHexDigits(4)
    guard (0xD800...0xDBFF).contains(high) else { return try set(of: high) }
    guard take("\\"), take("u") else { throw malformed("half a surrogate pair stands alone") }
    let low = try parseHexDigits(4)
    guard (0xDC00...0xDFFF).contains(low) else {
      throw malformed("half a surrogate pair stands alone")
    }
    return try set(of: 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func parseHexEscape(digits: Int) throws(PatternError) -> ScalarSet {
    try set(of: try parseHexDigits(digits))
  }

  private mutating func parseHexDigits(_ count: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = next?.hexDigitValue else {
        throw malformed("a hexadecimal digit is missing")
      }
      value = value * 16 + digit
      advance()
    }
    return value
  }

  private func set(of value: UInt32) throws(PatternError) -> ScalarSet {
    guard let scalar = Unicode.Scalar(value) else {
      throw malformed("half a surrogate pair stands alone")
    }
    return ScalarSet(scalar)
  }
}

extension Unicode.Scalar {
  var hexDigitValue: UInt32? {
    switch self {
    case "0"..."9": value - 0x30
    case "a"..."f": value - 0x61 + 10
    case "A"..."F": value - 0x41 + 10
    default: nil
    }
  }

  fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}

extension ScalarSet {
  fileprivate static let lineBreaks = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
  fileprivate static let digits = ScalarSet([0x30...0x39])
  fileprivate static let wordScalars = ScalarSet([
    0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A,
  ])
  fileprivate static let blanks = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])

  /// The only member, where there is one.
  fileprivate var single: UInt32? {
    guard ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
    return range.lowerBound
  }
}
