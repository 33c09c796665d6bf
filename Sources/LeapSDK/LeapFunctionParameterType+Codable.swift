import JSON

/// Coded as the JSON Schema that the model is shown: `{"type": "string", "enum": ["a", "b"]}`.
extension LeapFunctionParameterType: Codable {
  public func encode(to encoder: any Encoder) throws {
    try CodableJSON(value: .object(schema)).encode(to: encoder)
  }

  /// Takes any schema of one of the seven types; keywords that have no place in them are ignored.
  public init(from decoder: any Decoder) throws {
    do {
      self = try Self.type(of: CodableJSON(from: decoder).value)
    } catch let error as SchemaError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.text))
    }
  }

  private struct SchemaError: Error {
    let text: String
  }

  private static func type(of schema: JSONValue) throws -> Self {
    let description = schema["description"]?.stringValue
    switch schema["type"]?.stringValue {
    case "string":
      let values = try values(schema, "strings") { $0.stringValue }
      return .string(StringType(enumValues: values, description: description))
    case "number":
      let values = try values(schema, "numbers") { $0.doubleValue }
      return .number(NumberType(enumValues: values, description: description))
    case "integer":
      let values = try values(schema, "integers") { $0.intValue }
      return .integer(IntegerType(enumValues: values, description: description))
    case "boolean": return .boolean(BooleanType(description: description))
    case "null": return .null(NullType())
    case "array":
      guard let items = schema["items"] else {
        throw SchemaError(text: "The schema of an array has no \"items\".")
      }
      return .array(ArrayType(itemType: try type(of: items), description: description))
    case "object":
      var properties: [String: Self] = [:]
      for (name, property) in schema["properties"]?.objectValue?.members ?? [] {
        properties[name] = try type(of: property)
      }
      let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
      return .object(
        ObjectType(properties: properties, required: required, description: description))
    default:
      throw SchemaError(
        text: "The \"type\" of a parameter's schema must be \"string\", \"number\", \"integer\", "
          + "\"boolean\", \"array\", \"object\" or \"null\".")
    }
  }

  private static func values<Value>(
    _ schema: JSONValue, _ kind: String, _ value: (JSONValue) -> Value?
  ) throws -> [Value]? {
    guard let choices = schema["enum"] else { return nil }
    let values = choices.arrayValue?.map(value) ?? [nil]
    guard !values.contains(where: { $0 == nil }) else {
      throw SchemaError(text: "The \"enum\" of a parameter's schema must be an array of \(kind).")
    }
    return values.compactMap { $0 }
  }
}
