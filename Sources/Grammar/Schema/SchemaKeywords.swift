/// What is known of the keywords of JSON Schema.
enum SchemaKeywords {
  /// These say nothing about what is valid.
  static let annotations: Set<String> = [
    "$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "$vocabulary", "title",
    "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
    "contentEncoding", "contentMediaType", "contentSchema", "nullable",
  ]

  /// These constrain, and no grammar can keep them in general.
  static let unsupported: Set<String> = [
    "not", "if", "then", "else", "dependencies", "dependentRequired", "dependentSchemas",
    "patternProperties", "propertyNames", "minProperties", "maxProperties", "uniqueItems",
    "contains", "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties",
    "additionalItems",
  ]

  /// Keywords that only concern values of one type.
  static let ofObjects = ["properties", "required", "additionalProperties"]
  static let ofArrays = ["items", "prefixItems", "minItems", "maxItems"]
  static let ofStrings = ["minLength", "maxLength", "pattern", "format"]
  static let ofNumbers = [
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
  ]
}
