extension Conversation {
  public func registerFunction(function: LeapFunction) { registerFunction(function) }

  public func registerFunctions(functions: [LeapFunction]) {
    for function in functions { registerFunction(function) }
  }

  public func appendToHistory(message: ChatMessage) { appendToHistory(message) }
}

extension LeapFunction {
  public init(name: String, functionDescription: String, parameters: [LeapFunctionParameter]) {
    self.init(name: name, description: functionDescription, parameters: parameters)
  }
}

extension LeapFunctionParameter {
  public init(
    name: String, type: LeapFunctionParameterType, parameterDescription: String,
    optional: Bool = false
  ) {
    self.init(name: name, type: type, description: parameterDescription, optional: optional)
  }
}
