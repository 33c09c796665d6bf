import JSON

/// The JSON Schema of one type.
public struct JSONSchema: Sendable {
  var keywords: JSONObject

  init(_ keywords: JSONObject) { self.keywords = keywords }

  init(type: JSONValue) { keywords = ["type": type] }

  /// The same schema with a keyword set.
  func with(_ keyword: String, _ value: JSONValue) -> JSONSchema {
    var schema = self
    schema.keywords[keyword] = value
    return schema
  }
}
