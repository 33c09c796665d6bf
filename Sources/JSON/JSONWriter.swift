extension JSONValue {
  /// The value as JSON text.
  public func text(style: JSONStyle = .compact) -> String {
    var writer = JSONWriter(style: style)
    writer.write(self)
    return writer.text
  }
}

/// Writes values without recursion: those built by a program or a template may be nested deeper than
/// a thread's stack allows.
private struct JSONWriter {
  let style: JSONStyle
  var text = ""
  private var open: [(container: JSONValue, place: Int)] = []

  init(style: JSONStyle) { self.style = style }

  mutating func write(_ value: JSONValue) {
    begin(value)
    while let (container, place) = open.last {
      switch container {
      case .array(let elements) where place < elements.count:
        separate(place)
        begin(elements[place])
      case .object(let object) where place < object.count:
        separate(place)
        let member = object[place: place]
        write(member.key)
        text += style.colon
        begin(member.value)
      default:
        open.removeLast()
        text += style.lineBreak(depth: open.count)
        text += container.arrayValue == nil ? "}" : "]"
      }
    }
  }

  /// Writes a scalar or an empty container whole, and of others the opening bracket.
  private mutating func begin(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .double(let value): text += style.text(of: value)
    case .string(let value): write(value)
    case .array(let elements):
      text += elements.isEmpty ? "[]" : "["
      if !elements.isEmpty { open.append((value, 0)) }
    case .object(let object):
      text += object.isEmpty ? "{}" : "{"
      if !object.isEmpty { open.append((value, 0)) }
    }
  }

  private mutating func separate(_ place: Int) {
    if place > 0 { text += style.comma }
    text += style.lineBreak(depth: open.count)
    open[open.count - 1].place += 1
  }

  private mutating func write(_ string: String) {
    text += "\""
    var rest = string.utf8[...]
    while let stop = rest.firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
      text += Substring(rest[..<stop])
      text += Self.escape(rest[stop])
      rest = rest[rest.index(after: stop)...]
    }
    text += Substring(rest)
    text += "\""
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case 0x22: return "\\\""
    case 0x5C: return "\\\\"
    case 0x08: return "\\b"
    case 0x0C: return "\\f"
    case 0x0A: return "\\n"
    case 0x0D: return "\\r"
    case 0x09: return "\\t"
    default:
      let digits = String(byte, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
