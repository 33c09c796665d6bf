extension Parser {
  mutating func parseMacro(at position: SourcePosition) throws(TemplateError) -> MacroStatement {
    let name = try expectName()
    let id = id(of: name)
    let parameters = try parseParameters()
    let definition = try parseDefinition(of: "macro", name: name, parameters, at: position)
    return MacroStatement(id: id, definition: definition)
  }

  mutating func parseCallBlock(at position: SourcePosition) throws(TemplateError) -> CallStatement {
    let parameters = isAt(.leftParenthesis) ? try parseParameters() : []
    let expression = try parseExpression()
    guard let call = expression as? CallExpression else {
      throw failure("a call block needs a call", at: expression.position)
    }
    let definition = try parseDefinition(of: "call", name: "caller", parameters, at: position)
    return CallStatement(call: call, definition: definition)
  }

  private mutating func parseParameters() throws(TemplateError) -> [MacroDefinition.Parameter] {
    var parameters: [MacroDefinition.Parameter] = []
    try expect(.leftParenthesis)
    while !isAt(.rightParenthesis) {
      if !parameters.isEmpty { try expect(.comma) }
      let position = current.position
      let name = try expectTargetName()
      var fallback: (any Expression)?
      if skip(.assign) {
        fallback = try parseExpression()
      } else if name == "caller" {
        throw failure("the parameter 'caller' needs a default", at: position)
      } else if parameters.last?.fallback != nil {
        throw failure("the parameter '\(name)' needs a default like the one before", at: position)
      }
      parameters.append(.init(name: name, id: id(of: name), fallback: fallback))
    }
    try expect(.rightParenthesis)
    return parameters
  }

  private mutating func parseDefinition(
    of tag: String, name: String, _ parameters: [MacroDefinition.Parameter],
    at position: SourcePosition
  ) throws(TemplateError) -> MacroDefinition {
    specialNames.append([])
    let body = try inScope(loops: false) { parser throws(TemplateError) in
      try parser.parseBody(of: tag, at: position)
    }
    var used = specialNames.removeLast()
    // A use in an inner macro counts for the macros around it, too.
    if !specialNames.isEmpty { specialNames[specialNames.count - 1].formUnion(used) }
    used.subtract(parameters.map(\.name))
    let takesCaller = parameters.contains { $0.name == "caller" } || used.contains("caller")
    return MacroDefinition(
      name: name, parameters: parameters, body: body,
      callerID: takesCaller ? id(of: "caller") : nil,
      keywordsID: used.contains("kwargs") ? id(of: "kwargs") : nil,
      extraID: used.contains("varargs") ? id(of: "varargs") : nil)
  }

  // MARK: Targets of assignments

  /// Parses `name`, `namespace.attribute` or a tuple of names.
  mutating func parseTarget(
    until end: String?, isSingle: Bool = false
  ) throws(TemplateError) -> AssignmentTarget {
    if case .name(let variable) = current.kind, next == .symbol(.dot), end == nil, !isSingle {
      let position = current.position
      advance()
      advance()
      let name = try expectName()
      return .attribute(variable: id(of: variable), name: name, position: position)
    }
    var targets: [AssignmentTarget] = []
    var isTuple = false
    while true {
      if isAt(.leftParenthesis) {
        advance()
        try enter()
        targets.append(try parseTarget(until: end))
        leave()
        try expect(.rightParenthesis)
      } else {
        targets.append(.name(id(of: try expectTargetName())))
      }
      guard !isSingle, skip(.comma) else { break }
      isTuple = true
    }
    return !isTuple && targets.count == 1 ? targets[0] : .tuple(targets)
  }

  private mutating func expectTargetName() throws(TemplateError) -> String {
    let position = current.position
    let name = try expectName()
    if ["true", "false", "none", "True", "False", "None"].contains(name) {
      throw failure("'\(name)' cannot be assigned to", at: position)
    }
    return name
  }
}
