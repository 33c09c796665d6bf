import JSON

/// A function the model may call.
public struct LeapFunction: Codable, Sendable, Equatable {
  /// What the model calls it.
  public let name: String
  /// What it does, in words for the model.
  public let description: String
  /// Its parameters, in order.
  public let parameters: [LeapFunctionParameter]

  /// A function with its parameters.
  public init(name: String, description: String, parameters: [LeapFunctionParameter]) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }
}

extension LeapFunction {
  /// `{"name", "description", "parameters"}`, the parameters as a JSON Schema in their order.
  var json: JSONValue {
    var properties = JSONObject()
    for parameter in parameters { properties[parameter.name] = .object(parameter.schema) }
    return [
      "name": .string(name),
      "description": .string(description),
      "parameters": [
        "type": "object",
        "properties": .object(properties),
        "required": .array(parameters.filter { !$0.optional }.map { .string($0.name) }),
      ],
    ]
  }

  /// The OpenAI wrapper around `json`: what chat templates expect in their list of tools.
  var toolJSON: JSONValue { ["type": "function", "function": json] }
}
