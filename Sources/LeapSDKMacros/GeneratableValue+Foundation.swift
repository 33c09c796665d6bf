public import Foundation
import JSON

/// An ISO 8601 date and time in UTC, such as `2026-03-14T15:09:26Z`, which a model can write.
/// `JSONDecoder` reads it with `dateDecodingStrategy = .iso8601`; its default strategy wants a number
/// of seconds. (Without fractions of seconds, which not every version of that strategy reads.)
extension Date: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "string").with("format", "date-time").with("pattern", "^[^.]*Z$")
  }
}

extension UUID: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "string").with("format", "uuid")
  }
}

extension URL: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "string").with("format", "uri")
  }
}

/// Base64.
extension Data: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    let quads = "([A-Za-z0-9+/]{4})*"
    let end = "([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
    return JSONSchema(type: "string").with("pattern", "^\(quads)\(end)$")
  }
}

extension Decimal: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "number")
  }
}

extension CGFloat: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "number")
  }
}
