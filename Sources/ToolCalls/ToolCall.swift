import JSON

/// A function call a model asks for.
public struct ToolCall: Sendable, Equatable {
  public var name: String
  /// In the order the model wrote them.
  public var arguments: JSONObject

  public init(name: String, arguments: JSONObject) {
    self.name = name
    self.arguments = arguments
  }
}
