import JSON

/// The functions that a model may call: their parameters' order and types.
public struct ToolSignatures: Sendable {
  /// The JSON Schemas of the parameters, by function.
  private var schemas = JSONObject()

  /// - Parameter tools: function descriptions `{"name", "parameters"}`, with or without the OpenAI
  ///   wrapper `{"type": "function", "function": …}`. What is no such description is left out.
  public init(tools: [JSONValue]) {
    for tool in tools {
      let function = tool["function"] ?? tool
      if let name = function["name"]?.stringValue {
        schemas[name] = function["parameters"] ?? [:]
      }
    }
  }

  /// The call with its arguments' values brought to their declared types where that loses nothing:
  /// `"5"` and `5.0` to the integer 5, 5 to the double 5.0, `"true"` to true, `"'a'"` to the `a`
  /// of an enum, and so on through arrays and objects. Everything else stays as the model wrote it.
  public func coerced(_ call: ToolCall) -> ToolCall {
    guard let schema = schemas[call.name] else { return call }
    let arguments = SchemaCoercion.coerced(.object(call.arguments), to: schema)
    return ToolCall(name: call.name, arguments: arguments.objectValue ?? call.arguments)
  }

  /// The names of a function's parameters in the declared order; empty for an unknown function.
  func parameterNames(of function: String) -> [String] {
    schemas[function]?["properties"]?.objectValue?.keys ?? []
  }

  /// Whether a parameter is declared as a string and nothing else.
  func takesOnlyText(_ parameter: String, of function: String) -> Bool {
    guard let schema = schemas[function]?["properties"]?[parameter] else { return false }
    return SchemaCoercion.types(of: schema) == ["string"]
  }
}
