/// A place in a schema, as the keys and indices that lead there.
struct SchemaPath: Hashable {
  private(set) var parts: [String] = []

  func appending(_ parts: String...) -> SchemaPath {
    var path = self
    path.parts += parts
    return path
  }

  func appending(_ index: Int) -> SchemaPath { appending(String(index)) }

  func appending(_ other: SchemaPath) -> SchemaPath {
    var path = self
    path.parts += other.parts
    return path
  }

  init() {}

  /// By bytes: strings are equal for different spellings of a letter, keys are not.
  static func == (lhs: SchemaPath, rhs: SchemaPath) -> Bool {
    lhs.parts.count == rhs.parts.count
      && zip(lhs.parts, rhs.parts).allSatisfy { $0.isSame($1) }
  }

  func hash(into hasher: inout Hasher) {
    for part in parts {
      for byte in part.utf8 { hasher.combine(byte) }
      hasher.combine(0 as UInt8)
    }
  }

  /// The path of a JSON pointer in a URI fragment, without its `#`; nil where it is none.
  init?(pointer: Substring) {
    guard !pointer.isEmpty else { return }
    guard pointer.hasPrefix("/") else { return nil }
    for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let decoded = Self.decoded(part) else { return nil }
      parts.append(decoded)
    }
  }

  /// `%25` is `%`, `~1` is `/`, and `~0` is `~`.
  private static func decoded(_ part: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = part.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2).compactMap { Unicode.Scalar($0).hexDigitValue }
        guard digits.count == 2 else { return nil }
        bytes.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    var text: [UInt8] = []
    var tail = bytes[...]
    while let byte = tail.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        text.append(byte)
        continue
      }
      switch tail.popFirst() {
      case UInt8(ascii: "0"): text.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): text.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(validating: text, as: UTF8.self)
  }
}

extension SchemaPath: CustomStringConvertible {
  /// As a JSON path: `$.properties.name`, `$.anyOf[0]`, `$['odd key']`.
  var description: String {
    var text = "$"
    // A long path is cut: it is there to be read.
    for part in parts.prefix(64) {
      if part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !part.isEmpty {
        text += "[\(part)]"
      } else if !part.isEmpty,
        part.utf8.allSatisfy({ Unicode.Scalar($0).properties.isXIDContinue || $0 == 0x24 })
      {
        text += ".\(part)"
      } else {
        text += "['\(part)']"
      }
    }
    return parts.count > 64 ? text + "…" : text
  }
}
