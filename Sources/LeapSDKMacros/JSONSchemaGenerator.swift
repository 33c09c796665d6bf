import JSON

/// JSON Schemas of generatable types.
public enum JSONSchemaGenerator {
  /// The JSON Schema of a type, as a JSON text.
  ///
  /// - Throws: What a schema written by hand throws, of the type or of one inside it, and
  ///   `JSONSchemaError` where one cannot be used.
  public static func getJSONSchema<T: GeneratableType>(for type: T.Type) throws -> String {
    var builder = JSONSchemaBuilder()
    let document = builder.document(of: type)
    if let problem = builder.problem { throw problem }
    return JSONValue.object(document).text()
  }

  /// The JSON Schema that `@Generatable` types return. It refuses every value where a part of it
  /// cannot be described; `getJSONSchema` says why.
  public static func text<T: GeneratableType>(for type: T.Type) -> String {
    var builder = JSONSchemaBuilder()
    return JSONValue.object(builder.document(of: type)).text()
  }

  /// The names in JSON of the properties of a `@Generatable` type; empty for one that conforms by
  /// hand.
  package static func propertyNames<T: GeneratableType>(of type: T.Type) -> [AnyKeyPath: String] {
    var builder = JSONSchemaBuilder()
    _ = builder.document(of: type)
    return builder.propertyNames
  }
}
