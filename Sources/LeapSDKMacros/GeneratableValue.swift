/// A type that a property of a `@Generatable` type may have: one with a JSON Schema that the default
/// `JSONDecoder` follows.
public protocol GeneratableValue: Codable {
  /// The JSON Schema of the type, for use inside the schema that `builder` makes.
  static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema
}
