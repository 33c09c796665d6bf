import JSON

/// One parameter of a function.
public struct LeapFunctionParameter: Codable, Sendable, Equatable {
  /// What the model calls it.
  public let name: String
  /// What values it takes.
  public let type: LeapFunctionParameterType
  /// What the parameter means; shown to the model instead of the type's own description.
  public let description: String
  /// Whether a call may leave it out.
  public let optional: Bool

  /// A parameter of a function.
  public init(
    name: String, type: LeapFunctionParameterType, description: String, optional: Bool = false
  ) {
    self.name = name
    self.type = type
    self.description = description
    self.optional = optional
  }

  /// `enumValues` restricts a string parameter to these values; it has no meaning for other types.
  public init(
    name: String, description: String, type: LeapFunctionParameterType, required: Bool,
    enumValues: [String]? = nil
  ) {
    var type = type
    if let enumValues, case .string(var string) = type {
      string.enumValues = enumValues
      type = .string(string)
    }
    self.init(name: name, type: type, description: description, optional: !required)
  }

  /// The type's JSON Schema with this parameter's description.
  var schema: JSONObject {
    var schema = type.schema
    if !description.isEmpty { schema["description"] = .string(description) }
    return schema
  }
}
