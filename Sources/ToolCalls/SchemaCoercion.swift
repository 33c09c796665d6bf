import JSON

/// Brings values to the types that a JSON Schema declares, as far as that loses nothing.
enum SchemaCoercion {
  /// Schemas nested deeper than this are not looked into.
  private static let depthLimit = 64

  static func coerced(_ value: JSONValue, to schema: JSONValue) -> JSONValue {
    converted(value, to: schema, depth: 0) ?? value
  }

  /// The names of the types a schema allows by itself, in its order; empty if it does not say.
  static func types(of schema: JSONValue) -> [String] {
    var types: [String]
    switch schema["type"] {
    case .string(let name)?: types = [name]
    case .array(let names)?: types = names.compactMap(\.stringValue)
    default:
      types = []
      for value in choices(of: schema) ?? [] where !types.contains(typeName(value)) {
        types.append(typeName(value))
      }
    }
    if !types.isEmpty, schema["nullable"]?.boolValue == true { types.append("null") }
    return types
  }

  private static func choices(of schema: JSONValue) -> [JSONValue]? {
    schema["enum"]?.arrayValue ?? schema["const"].map { [$0] }
  }

  private static func alternatives(of schema: JSONValue) -> [JSONValue]? {
    schema["anyOf"]?.arrayValue ?? schema["oneOf"]?.arrayValue
  }

  /// The value as the schema wants it; nil if it cannot be brought to any of its types. The answer
  /// depends on the outermost value only, so that each part is converted just once.
  private static func converted(
    _ value: JSONValue, to schema: JSONValue, depth: Int
  ) -> JSONValue? {
    guard depth < depthLimit else { return nil }
    if let alternatives = alternatives(of: schema) {
      // What fits as it is stays with the alternative it fits.
      if let fitting = alternatives.first(where: { fits(value, $0, depth: depth) }) {
        return converted(value, to: fitting, depth: depth + 1)
      }
      return alternatives.lazy.compactMap { converted(value, to: $0, depth: depth + 1) }.first
    }
    let types = types(of: schema)
    if let choices = choices(of: schema) {
      return choice(value, among: choices).map { withCoercedParts($0, schema, types, depth: depth) }
    }
    if types.isEmpty || types.contains(where: { isNative(value, $0) }) {
      return withCoercedParts(value, schema, types, depth: depth)
    }
    for type in types {
      if let converted = self.converted(value, toType: type) {
        return withCoercedParts(converted, schema, types, depth: depth)
      }
    }
    return nil
  }

  /// Whether a value is one the schema describes, as far as its outermost type tells.
  private static func fits(_ value: JSONValue, _ schema: JSONValue, depth: Int) -> Bool {
    guard depth < depthLimit else { return false }
    if let alternatives = alternatives(of: schema) {
      return alternatives.contains { fits(value, $0, depth: depth + 1) }
    }
    if let choices = choices(of: schema) { return choices.contains(value) }
    let types = types(of: schema)
    return types.isEmpty || types.contains { isNative(value, $0) }
  }

  private static func isNative(_ value: JSONValue, _ type: String) -> Bool {
    typeName(value) == type || type == "number" && value.doubleValue != nil
  }

  private static func typeName(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .int: "integer"
    case .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The choice that a value means: itself, or without the quotes and blanks around it, or as
  /// another type.
  private static func choice(_ value: JSONValue, among choices: [JSONValue]) -> JSONValue? {
    if choices.contains(value) { return value }
    if let text = value.stringValue {
      let inner = JSONValue.string(unquoted(text))
      if choices.contains(inner) { return inner }
    }
    return choices.first { converted(value, toType: typeName($0)) == $0 }
  }

  private static func unquoted(_ text: String) -> String {
    var bytes = trimmed(text)
    if bytes.count > 1, let quote = bytes.first, quote.isQuote, bytes.last == quote {
      bytes = bytes.dropFirst().dropLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return bytes.drop(while: isBlank)
  }

  private static func converted(_ value: JSONValue, toType type: String) -> JSONValue? {
    switch (type, value) {
    case ("integer", .double(let number)):
      return Int(exactly: number).map { .int($0) }
    case ("number", .int(let number)):
      return Double(exactly: number).map { .double($0) }
    case ("integer", .string(let text)), ("number", .string(let text)):
      guard let number = JSONValue(lenient: text), number.doubleValue != nil else { return nil }
      return isNative(number, type) ? number : converted(number, toType: type)
    case ("string", .int(let number)):
      return .string(String(number))
    case ("boolean", .string(let text)), ("null", .string(let text)),
      ("array", .string(let text)), ("object", .string(let text)):
      guard let value = JSONValue(lenient: text), isNative(value, type) else { return nil }
      return value
    default:
      return nil
    }
  }

  /// Numbers, elements and members brought to what the schema says of them.
  private static func withCoercedParts(
    _ value: JSONValue, _ schema: JSONValue, _ types: [String], depth: Int
  ) -> JSONValue {
    func part(_ value: JSONValue, _ schema: JSONValue?) -> JSONValue {
      schema.flatMap { converted(value, to: $0, depth: depth + 1) } ?? value
    }
    switch value {
    case .int where types.contains("number") && !types.contains("integer"):
      return converted(value, toType: "number") ?? value
    case .array(let elements):
      let first = schema["prefixItems"]?.arrayValue ?? []
      return .array(
        elements.enumerated().map { index, element in
          part(element, index < first.count ? first[index] : schema["items"])
        })
    case .object(var object):
      for (key, member) in object.members {
        object[key] = part(member, schema["properties"]?[key] ?? schema["additionalProperties"])
      }
      return .object(object)
    default:
      return value
    }
  }
}
