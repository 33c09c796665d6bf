import JSON

extension LeapFunctionParameterType {
  /// The JSON Schema of the type.
  var schema: JSONObject {
    switch self {
    case .string(let type):
      return Self.schema("string", type.enumValues?.map { .string($0) }, type.description)
    case .number(let type):
      return Self.schema("number", type.enumValues?.map { .double($0) }, type.description)
    case .integer(let type):
      return Self.schema("integer", type.enumValues?.map { .int($0) }, type.description)
    case .boolean(let type):
      return Self.schema("boolean", nil, type.description)
    case .null:
      return Self.schema("null", nil, nil)
    case .array(let type):
      var schema = Self.schema("array", nil, type.description)
      schema["items"] = .object(type.itemType.schema)
      return schema
    case .object(let type):
      var schema = Self.schema("object", nil, type.description)
      var properties = JSONObject()
      // A dictionary has no order of its own; sorting makes the prompt the same in every run.
      for (name, property) in type.properties.sorted(by: { $0.key < $1.key }) {
        properties[name] = .object(property.schema)
      }
      schema["properties"] = .object(properties)
      schema["required"] = .array(type.required.map { .string($0) })
      return schema
    }
  }

  private static func schema(
    _ name: String, _ values: [JSONValue]?, _ description: String?
  ) -> JSONObject {
    var schema: JSONObject = ["type": .string(name)]
    if let description { schema["description"] = .string(description) }
    if let values { schema["enum"] = .array(values) }
    return schema
  }
}
