import JSON

extension Array: GeneratableValue where Element: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    builder.array(of: Element.self)
  }
}

extension Set: GeneratableValue where Element: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    builder.array(of: Element.self)
  }
}

extension Dictionary: GeneratableValue where Key == String, Value: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    let values = builder.schema(of: Value.self)
    return JSONSchema(type: "object").with("additionalProperties", .object(values.keywords))
  }
}

/// Inside an array or a dictionary, a missing value is written as `null`. (An optional property is
/// left out instead: see `JSONSchemaBuilder.Properties`.)
extension Optional: GeneratableValue where Wrapped: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    let wrapped = builder.schema(of: Wrapped.self)
    return JSONSchema(["anyOf": [.object(wrapped.keywords), ["type": "null"]]])
  }
}
