import JSON

/// A second reader of JSON, stricter than the engine's own: it also refuses repeated keys and halves
/// of surrogate pairs that stand alone. It shares no code with what it judges.
struct StrictJSON {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private static let depthLimit = 400

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value of a whole text, on which the engine's parser agrees.
  static func parse(_ bytes: [UInt8]) throws -> JSONValue {
    var reader = StrictJSON(bytes)
    reader.skipBlanks()
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.position == bytes.count else { throw reader.fault("more behind the value") }
    guard try JSONValue(parsing: bytes) == value else {
      throw reader.fault("the engine's parser reads another value")
    }
    return value
  }

  static func parse(_ text: String) throws -> JSONValue { try parse(Array(text.utf8)) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func fault(_ message: String) -> Fault {
    Fault(
      description: "\(message) at byte \(position) of \(String(decoding: bytes, as: UTF8.self))")
  }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func value(depth: Int) throws -> JSONValue {
    guard depth < Self.depthLimit else { throw fault("too deep") }
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t") where take("true"): return true
    case UInt8(ascii: "f") where take("false"): return false
    case UInt8(ascii: "n") where take("null"): return .null
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws -> JSONValue {
    position += 1
    var object = JSONObject()
    skipBlanks()
    if take("}") { return .object(object) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw fault("no key") }
      let key = try string()
      guard object[key] == nil else { throw fault("the key \(key.debugDescription) twice") }
      skipBlanks()
      guard take(":") else { throw fault("no colon") }
      skipBlanks()
      object[key] = try value(depth: depth + 1)
      skipBlanks()
    } while take(",")
    guard take("}") else { throw fault("the object does not end") }
    return .object(object)
  }

  private mutating func array(depth: Int) throws -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipBlanks()
    if take("]") { return .array([]) }
    repeat {
      skipBlanks()
      elements.append(try value(depth: depth + 1))
      skipBlanks()
    } while take(",")
    guard take("]") else { throw fault("the array does not end") }
    return .array(elements)
  }

  private mutating func digits() throws {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    if position == start { throw fault("no digit") }
  }

  private mutating func number() throws -> JSONValue {
    let start = position
    var isWhole = true
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let value = Int(text) { return .int(value) }
    guard let value = Double(text), value.isFinite else { throw fault("not a finite number") }
    return .double(value)
  }

  private mutating func string() throws -> String {
    position += 1
    var decoded: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: decoded, as: UTF8.self) else {
          throw fault("ill-formed UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): decoded += Array(String(try escape()).utf8)
      case 0..<0x20: throw fault("a raw control character")
      default: decoded.append(byte)
      }
    }
    throw fault("the string does not end")
  }

  private mutating func escape() throws -> Unicode.Scalar {
    guard let letter = next else { throw fault("no escape") }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xDC00, take(#"\u"#) else { throw fault("half a surrogate pair") }
      let second = try codeUnit()
      guard (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
      else { throw fault("half a surrogate pair") }
      return scalar
    default: throw fault("no such escape")
    }
  }

  private mutating func codeUnit() throws -> UInt32 {
    let digits = bytes[position...].prefix(4)
    let isHex = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard digits.count == 4, isHex,
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("no four hexadecimal digits") }
    position += 4
    return unit
  }
}
