import JSON

/// Reads Python literals, and those of JSON that Python spells otherwise, as JSON values.
///
/// - Tuples and sets become arrays. Keys that are numbers, booleans or None become their JSON text.
/// - Whole numbers too big for `Int` become doubles. Numbers that JSON lacks (`1e400`, `nan`, `-inf`)
///   become strings, spelled as written.
/// - Bytes, f-strings, complex numbers, names and expressions are no values.
///
/// Open containers lie on a stack of its own, so the nesting of the text does not use up the
/// thread's stack.
struct PythonReader {
  enum Failure: Error {
    case malformed
    /// The text ends inside a string.
    case unterminatedString
  }

  /// How many containers may lie inside one another.
  static let depthLimit = 128

  let bytes: [UInt8]
  var position = 0
  /// Take a quote for the end of its string only where something follows that may follow a value:
  /// recovers strings whose inner quotes were not escaped.
  var isLenient = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at the current position, nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Reads the value that begins at the current position, blanks aside.
  mutating func parseValue() throws(Failure) -> JSONValue {
    var open: [Container] = []
    while true {
      skipBlanks()
      if let container = next.flatMap(Container.init) {
        guard open.count < Self.depthLimit else { throw .malformed }
        position += 1
        open.append(container)
        continue
      }
      let value: JSONValue
      if let last = open.last, last.key == nil, next == last.end {
        // An empty container, or a comma in front of the end.
        position += 1
        value = last.value
        open.removeLast()
      } else {
        value = try parseScalar()
      }
      if let whole = try attach(value, to: &open) { return whole }
    }
  }

  /// Puts a finished value into the innermost open container and closes the containers that end
  /// behind it. Returns the whole value when nothing is open any more.
  private mutating func attach(
    _ finished: JSONValue, to open: inout [Container]
  ) throws(Failure) -> JSONValue? {
    var value = finished
    while let last = open.indices.last {
      skipBlanks()
      if next == UInt8(ascii: ":"), open[last].takesKey, let key = Self.key(value) {
        position += 1
        open[last].key = key
        return nil
      }
      guard open[last].append(value) else { throw .malformed }
      if next == UInt8(ascii: ",") {
        position += 1
        open[last].hasComma = true
        return nil
      }
      guard next == open[last].end else { throw .malformed }
      position += 1
      value = open.removeLast().value
    }
    return value
  }

  /// A value as the key of an object, as Python's `json` module spells it.
  private static func key(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .null, .bool, .int, .double: value.text()
    case .array, .object: nil
    }
  }

  private mutating func parseScalar() throws(Failure) -> JSONValue {
    guard let byte = next else { throw .malformed }
    if isAtString { return .string(try parseStrings()) }
    if byte.isDigit || byte == UInt8(ascii: ".") || byte.isSign { return try parseNumber() }
    let start = position
    let word = parseWord()
    switch word {
    case "True", "true": return .bool(true)
    case "False", "false": return .bool(false)
    case "None", "null": return .null
    case _ where Self.nonFiniteNames.contains(word): return .string(word)
    default:
      position = start
      throw .malformed
    }
  }

  static let nonFiniteNames: Set = ["nan", "NaN", "inf", "Infinity"]

  /// The letters, digits and underscores from the current position on.
  mutating func parseWord() -> String {
    let start = position
    while isAtWord { position += 1 }
    return text(start..<position)
  }

  /// Whether a letter, digit or underscore stands at the current position.
  var isAtWord: Bool { next?.isWord == true && blankLength(at: position) == nil }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func skipBlanks() {
    while let length = blankLength(at: position) { position += length }
  }

  /// The bytes of the white space that stands at a place, nil if there is none.
  func blankLength(at place: Int) -> Int? {
    guard place < bytes.count else { return nil }
    let byte = bytes[place]
    if byte == 0x20 || (0x09...0x0D).contains(byte) { return 1 }
    // A line that goes on, outside strings.
    if byte == UInt8(ascii: "\\"), place + 1 < bytes.count, bytes[place + 1] == 0x0A { return 2 }
    guard byte >= 0x80 else { return nil }
    // A scalar has at most four bytes; decoding a few more of them shows the first one whole.
    let scalar = String(decoding: bytes[place...].prefix(4), as: UTF8.self).unicodeScalars.first
    guard let scalar, scalar.properties.isWhitespace || scalar == "\u{FEFF}" else { return nil }
    return UTF8.width(scalar)
  }
}

extension PythonReader {
  /// A list, tuple, set or dictionary whose end is still to come.
  fileprivate struct Container {
    let end: UInt8
    var hasComma = false
    /// The key whose value comes next.
    var key: String?
    private var elements: [JSONValue] = []
    private var members: JSONObject?

    init?(start: UInt8) {
      switch start {
      case UInt8(ascii: "["): end = UInt8(ascii: "]")
      case UInt8(ascii: "("): end = UInt8(ascii: ")")
      case UInt8(ascii: "{"): end = UInt8(ascii: "}")
      default: return nil
      }
    }

    var takesKey: Bool { end == UInt8(ascii: "}") && key == nil && elements.isEmpty }

    /// False where a dictionary has an element without a key.
    mutating func append(_ value: JSONValue) -> Bool {
      if let key {
        members = members ?? [:]
        members?[key] = value
        self.key = nil
        return true
      }
      elements.append(value)
      return members == nil
    }

    var value: JSONValue {
      switch end {
      case UInt8(ascii: "}") where elements.isEmpty: return .object(members ?? [:])
      // Parentheses around one value are no tuple.
      case UInt8(ascii: ")") where !hasComma: return elements.first ?? .array([])
      default: return .array(elements)
      }
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isSign: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "+") }
  var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
  var isOpening: Bool { "([{".utf8.contains(self) }
  var isClosing: Bool { ")]}".utf8.contains(self) }

  var isLetter: Bool {
    let lowercase = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase)
  }

  /// Part of a Python name; every byte outside ASCII counts as a letter.
  var isWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || self >= 0x80 }

  /// The value of a digit of bases up to 16.
  var digitValue: Int? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self) - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self) - 0x57
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self) - 0x37
    default: nil
    }
  }
}
