extension Parser {
  /// Parses statements up to a tag named in `ends`, which becomes current; with no `ends`, to the
  /// end of the source.
  mutating func parseBlock(
    until ends: [String], of opening: (tag: String, position: SourcePosition)?
  ) throws(TemplateError) -> Block {
    var block = Block()
    while true {
      switch current.kind {
      case .text(let bytes):
        block.statements.append(TextStatement(bytes: bytes))
        advance()
      case .outputBegin:
        advance()
        let expression = try parseTuple()
        try expect(.outputEnd)
        block.statements.append(PrintStatement(expression: expression))
      case .statementBegin:
        advance()
        if case .name(let tag) = current.kind, ends.contains(tag) { return block }
        block.statements.append(try parseStatement(closing: opening))
        try expect(.statementEnd)
      default:
        guard let opening else { return block }
        throw failure(
          "the '\(opening.tag)' block opened on line \(opening.position.line) is never closed",
          at: opening.position)
      }
    }
  }

  /// Parses a body and its closing tag, up to the tag's end.
  mutating func parseBody(
    of tag: String, at position: SourcePosition
  ) throws(TemplateError) -> Block {
    try expect(.statementEnd)
    let body = try parseBlock(until: ["end" + tag], of: (tag, position))
    advance()
    return body
  }

  private mutating func parseStatement(
    closing opening: (tag: String, position: SourcePosition)?
  ) throws(TemplateError) -> any Statement {
    try enter()
    defer { leave() }
    let position = current.position
    let tag = try expectName()
    switch tag {
    case "if": return try parseIf(at: position)
    case "for": return try parseFor(at: position)
    case "set": return try parseSet(at: position)
    case "macro": return try parseMacro(at: position)
    case "call": return try parseCallBlock(at: position)
    case "filter":
      let filters = try parseFilterChain()
      let body = try inScope(loops: false) { parser throws(TemplateError) in
        try parser.parseBody(of: "filter", at: position)
      }
      return FilterStatement(filters: filters, body: body)
    case "with": return try parseWith(at: position)
    case "generation":
      let body = try inScope(loops: false) { parser throws(TemplateError) in
        try parser.parseBody(of: "generation", at: position)
      }
      return ScopeStatement(body: body)
    case "block":
      return try parseNamedBlock(at: position)
    case "break", "continue":
      guard loopDepth > 0 else { throw failure("'\(tag)' stands outside of a loop", at: position) }
      return LoopControlStatement(flow: tag == "break" ? .breakLoop : .continueLoop)
    case "include", "import", "from", "extends":
      while current.kind != .statementEnd, current.kind != .end { advance() }
      return UnavailableStatement(tag: tag, position: position)
    default:
      let hint = opening.map { ", the innermost open block is '\($0.tag)'" } ?? ""
      throw failure("unknown tag '\(tag)'\(hint)", at: position)
    }
  }

  /// Parses what has a scope of its own, and so its own view of unknown filters and, where `loops`
  /// is false, no loop around it.
  mutating func inScope<Result>(
    loops: Bool, _ parse: (inout Parser) throws(TemplateError) -> Result
  ) throws(TemplateError) -> Result {
    let saved = (loopDepth, isConditional)
    isConditional = false
    if !loops { loopDepth = 0 }
    let result = try parse(&self)
    (loopDepth, isConditional) = saved
    return result
  }

  private mutating func parseIf(at position: SourcePosition) throws(TemplateError) -> IfStatement {
    let wasConditional = isConditional
    isConditional = true
    defer { isConditional = wasConditional }
    var branches: [IfStatement.Branch] = []
    var alternative = Block()
    while true {
      let test = try parseTuple(allowsConditional: false)
      try expect(.statementEnd)
      let body = try parseBlock(until: ["elif", "else", "endif"], of: ("if", position))
      branches.append(IfStatement.Branch(test: test, body: body))
      if skip(name: "elif") { continue }
      if skip(name: "else") {
        try expect(.statementEnd)
        alternative = try parseBlock(until: ["endif"], of: ("if", position))
      }
      try expect(name: "endif")
      return IfStatement(branches: branches, alternative: alternative)
    }
  }

  private mutating func parseFor(at position: SourcePosition) throws(TemplateError) -> ForStatement
  {
    let target = try parseTarget(until: "in")
    try expect(name: "in")
    let sequence = try parseTuple(allowsConditional: false, until: "recursive")
    let filter = skip(name: "if") ? try parseExpression() : nil
    let isRecursive = skip(name: "recursive")
    try expect(.statementEnd)
    let body = try inScope(loops: true) { parser throws(TemplateError) in
      parser.loopDepth += 1
      return try parser.parseBlock(until: ["endfor", "else"], of: ("for", position))
    }
    var alternative = Block()
    if skip(name: "else") {
      try expect(.statementEnd)
      alternative = try inScope(loops: true) { parser throws(TemplateError) in
        try parser.parseBlock(until: ["endfor"], of: ("for", position))
      }
    }
    try expect(name: "endfor")
    return ForStatement(
      target: target, sequence: sequence, filter: filter, isRecursive: isRecursive, body: body,
      alternative: alternative, loopID: id(of: "loop"))
  }

  private mutating func parseSet(
    at position: SourcePosition
  ) throws(TemplateError) -> any Statement {
    let target = try parseTarget(until: nil)
    if skip(.assign) { return SetStatement(target: target, expression: try parseTuple()) }
    var filters: [FilterCall] = []
    while skip(.pipe) { filters.append(try parseFilterCall()) }
    let body = try inScope(loops: false) { parser throws(TemplateError) in
      try parser.parseBody(of: "set", at: position)
    }
    return SetBlockStatement(target: target, filters: filters, body: body)
  }

  private mutating func parseWith(
    at position: SourcePosition
  ) throws(TemplateError) -> ScopeStatement {
    var assignments: [(target: AssignmentTarget, value: any Expression)] = []
    while current.kind != .statementEnd {
      if !assignments.isEmpty { try expect(.comma) }
      let target = try parseTarget(until: nil, isSingle: true)
      try expect(.assign)
      assignments.append((target, try parseExpression()))
    }
    let body = try inScope(loops: true) { parser throws(TemplateError) in
      try parser.parseBody(of: "with", at: position)
    }
    return ScopeStatement(assignments: assignments, body: body)
  }

  /// A template that stands alone has nothing to override, so a block is only a scope.
  private mutating func parseNamedBlock(
    at position: SourcePosition
  ) throws(TemplateError) -> ScopeStatement {
    _ = try expectName()
    _ = skip(name: "scoped")
    _ = skip(name: "required")
    let body = try inScope(loops: false) { parser throws(TemplateError) in
      try parser.parseBody(of: "block", at: position)
    }
    if case .name = current.kind { advance() }
    return ScopeStatement(body: body)
  }
}
