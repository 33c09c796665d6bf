import JSON

/// A type whose values a model can generate as JSON. `@Generatable` writes the conformance.
public protocol GeneratableType: GeneratableValue {
  /// What a value stands for, in words for the model.
  static var typeDescription: String { get }

  /// The JSON Schema of the type, as a JSON text.
  static func jsonSchema() throws -> String
}

extension GeneratableType {
  /// The schema of a conformance written by hand: what `jsonSchema()` returns.
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    builder.parse { try jsonSchema() }
  }
}
