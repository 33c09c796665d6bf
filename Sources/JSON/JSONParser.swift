extension JSONValue {
  /// How many arrays and objects may lie inside one another by default.
  public static let defaultDepthLimit = 512

  /// Parses one JSON document, strictly by RFC 8259.
  ///
  /// Of repeated keys the last value wins. Whole numbers too big for `Int` become doubles, and
  /// numbers too big for `Double` are an error. `-0` is the integer 0, `-0.0` is a double. Halves of
  /// surrogate pairs that stand alone (`"\ud800"`) become U+FFFD, as a Swift string cannot hold them.
  public init(
    parsing text: String, depthLimit: Int = Self.defaultDepthLimit
  ) throws(JSONParseError) {
    try self.init(parsing: text.utf8, depthLimit: depthLimit)
  }

  /// Parses one JSON document from UTF-8 bytes; a byte order mark in front is skipped.
  public init(
    parsing bytes: some Sequence<UInt8>, depthLimit: Int = Self.defaultDepthLimit
  ) throws(JSONParseError) {
    var parser = JSONParser(bytes: Array(bytes), depthLimit: depthLimit)
    self = try parser.parseDocument()
  }
}

/// The grammar of values. Open arrays and objects lie on a stack of its own, so the nesting of the
/// text does not use up the thread's stack.
struct JSONParser {
  let bytes: [UInt8]
  let depthLimit: Int
  var position = 0
  private var open: [Container] = []

  private struct Container {
    let isObject: Bool
    var elements: [JSONValue] = []
    var object = JSONObject()
    var key = ""

    var value: JSONValue { isObject ? .object(object) : .array(elements) }
  }

  init(bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  /// The byte at the current position, nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func parseDocument() throws(JSONParseError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      skipWhitespace()
      if let value = try parseScalarOrOpenContainer(), let document = try attach(value) {
        return document
      }
    }
  }

  /// A whole value, or nil when a container was opened whose first value follows.
  private mutating func parseScalarOrOpenContainer() throws(JSONParseError) -> JSONValue? {
    switch next {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return try openContainer()
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try parseNumber()
    case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
    case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
    case UInt8(ascii: "n"): return try parseLiteral("null", .null)
    default: throw unexpected(expected: "a value")
    }
  }

  private mutating func openContainer() throws(JSONParseError) -> JSONValue? {
    let isObject = next == UInt8(ascii: "{")
    guard open.count < depthLimit else {
      throw error("arrays and objects are nested more than \(depthLimit) deep")
    }
    position += 1
    skipWhitespace()
    if next == UInt8(ascii: isObject ? "}" : "]") {
      position += 1
      return isObject ? .object([:]) : .array([])
    }
    open.append(Container(isObject: isObject))
    if isObject { try parseKey() }
    return nil
  }

  /// Puts a finished value into the innermost open container and closes the containers that end
  /// behind it. Returns the document's value when that was the last one.
  private mutating func attach(_ finished: JSONValue) throws(JSONParseError) -> JSONValue? {
    var value = finished
    while let last = open.indices.last {
      let isObject = open[last].isObject
      if isObject {
        open[last].object[open[last].key] = value
      } else {
        open[last].elements.append(value)
      }
      skipWhitespace()
      switch next {
      case UInt8(ascii: ","):
        position += 1
        skipWhitespace()
        if isObject { try parseKey() }
        return nil
      case UInt8(ascii: isObject ? "}" : "]"):
        position += 1
        value = open.removeLast().value
      default:
        throw unexpected(expected: isObject ? "',' or '}'" : "',' or ']'")
      }
    }
    skipWhitespace()
    guard next == nil else { throw unexpected(expected: "the end of the text") }
    return value
  }

  /// The key and colon in front of a member's value.
  private mutating func parseKey() throws(JSONParseError) {
    guard next == UInt8(ascii: "\"") else { throw unexpected(expected: "a key in quotes") }
    let key = try parseString()
    skipWhitespace()
    guard next == UInt8(ascii: ":") else { throw unexpected(expected: "':'") }
    position += 1
    open[open.count - 1].key = key
  }

  private mutating func parseLiteral(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONParseError) -> JSONValue {
    let word = String(describing: word)
    guard bytes[position...].starts(with: word.utf8) else { throw unexpected(expected: "a value") }
    position += word.utf8.count
    return value
  }

  private mutating func skipWhitespace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }
}
