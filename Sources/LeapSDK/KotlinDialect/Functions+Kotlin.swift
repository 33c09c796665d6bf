extension Conversation {
  /// The 0.10 spelling of `registerFunction(_:)`.
  public func registerFunction(function: LeapFunction) { registerFunction(function) }

  /// Offers several functions to the model.
  public func registerFunctions(functions: [LeapFunction]) {
    for function in functions { registerFunction(function) }
  }

  /// The 0.10 spelling of `appendToHistory(_:)`.
  public func appendToHistory(message: ChatMessage) { appendToHistory(message) }
}

extension LeapFunction {
  /// The 0.10 spelling of `init(name:description:parameters:)`.
  public init(name: String, functionDescription: String, parameters: [LeapFunctionParameter]) {
    self.init(name: name, description: functionDescription, parameters: parameters)
  }
}

extension LeapFunctionParameter {
  /// The 0.10 spelling of `init(name:type:description:optional:)`.
  public init(
    name: String, type: LeapFunctionParameterType, parameterDescription: String,
    optional: Bool = false
  ) {
    self.init(name: name, type: type, description: parameterDescription, optional: optional)
  }
}
