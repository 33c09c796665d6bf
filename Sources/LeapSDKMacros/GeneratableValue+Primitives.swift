import JSON

extension String: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "string")
  }
}

extension Bool: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "boolean")
  }
}

extension Double: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    JSONSchema(type: "number")
  }
}

extension Float: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema {
    let bound = Double(Float.greatestFiniteMagnitude)
    return JSONSchema(type: "number").with("minimum", .double(-bound))
      .with("maximum", .double(bound))
  }
}

// Integers. Bounds are written down only where they say more than "64 bits, signed", so that
// schemas stay short.

extension FixedWidthInteger {
  fileprivate static var integerSchema: JSONSchema {
    var schema = JSONSchema(type: "integer")
    if let least = Int(exactly: min), least > .min { schema = schema.with("minimum", .int(least)) }
    if let most = Int(exactly: max), most < .max { schema = schema.with("maximum", .int(most)) }
    return schema
  }
}

extension Int: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension Int8: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension Int16: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension Int32: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension Int64: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension UInt: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension UInt8: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension UInt16: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension UInt32: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}

extension UInt64: GeneratableValue {
  public static func jsonSchema(in builder: inout JSONSchemaBuilder) -> JSONSchema { integerSchema }
}
