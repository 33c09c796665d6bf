extension Parser {
  mutating func parsePrimary() throws(TemplateError) -> any Expression {
    let position = current.position
    switch current.kind {
    case .name(let name):
      advance()
      return parseName(name, at: position)
    case .string(let first):
      advance()
      var text = first
      while case .string(let more) = current.kind {
        text += more
        advance()
      }
      return StringExpression(text, at: position)
    case .integer(let value):
      advance()
      return ConstantExpression(.int(value), at: position)
    case .float(let value):
      advance()
      return ConstantExpression(.double(value), at: position)
    case .symbol(.leftParenthesis):
      advance()
      let expression = try parseTuple(inParentheses: true)
      try expect(.rightParenthesis)
      return expression
    case .symbol(.leftBracket):
      return try parseList(at: position)
    case .symbol(.leftBrace):
      return try parseMapping(at: position)
    default:
      throw unexpected("an expression")
    }
  }

  private mutating func parseName(_ name: String, at position: SourcePosition) -> any Expression {
    switch name {
    case "true", "True": return ConstantExpression(.bool(true), at: position)
    case "false", "False": return ConstantExpression(.bool(false), at: position)
    case "none", "None": return ConstantExpression(.null, at: position)
    case "caller", "kwargs", "varargs":
      if !specialNames.isEmpty { specialNames[specialNames.count - 1].insert(name) }
    default: break
    }
    return NameExpression(name, id: id(of: name), at: position)
  }

  private mutating func parseList(at position: SourcePosition) throws(TemplateError)
    -> any Expression
  {
    advance()
    var elements: [any Expression] = []
    while !isAt(.rightBracket) {
      if !elements.isEmpty { try expect(.comma) }
      if isAt(.rightBracket) { break }
      elements.append(try parseExpression())
    }
    try expect(.rightBracket)
    return SequenceExpression(elements, isTuple: false, at: position)
  }

  private mutating func parseMapping(at position: SourcePosition) throws(TemplateError)
    -> any Expression
  {
    advance()
    var members: [(key: any Expression, value: any Expression)] = []
    while !isAt(.rightBrace) {
      if !members.isEmpty { try expect(.comma) }
      if isAt(.rightBrace) { break }
      let key = try parseExpression()
      try expect(.colon)
      members.append((key, try parseExpression()))
    }
    try expect(.rightBrace)
    return MappingExpression(members, at: position)
  }

  // MARK: What follows an operand

  /// Parses attributes, subscripts and calls.
  mutating func parsePostfix(_ operand: any Expression) throws(TemplateError) -> any Expression {
    var expression = operand
    while true {
      let position = current.position
      if skip(.dot) {
        expression = try parseAttribute(of: expression, at: position)
      } else if skip(.leftBracket) {
        expression = try parseSubscript(of: expression, at: position)
      } else if isAt(.leftParenthesis) {
        expression = CallExpression(expression, try parseArguments(), at: position)
      } else {
        return expression
      }
      expression = try checked(expression)
    }
  }

  private mutating func parseAttribute(
    of object: any Expression, at position: SourcePosition
  ) throws(TemplateError) -> any Expression {
    switch current.kind {
    case .name(let name):
      advance()
      return AttributeExpression(object, name, at: position)
    case .integer(let index):
      advance()
      return SubscriptExpression(
        object, ConstantExpression(.int(index), at: position), at: position)
    default:
      throw unexpected("a name or a number")
    }
  }

  private mutating func parseSubscript(
    of object: any Expression, at position: SourcePosition
  ) throws(TemplateError) -> any Expression {
    let first: (any Expression)? = isAt(.colon) ? nil : try parseExpression()
    if skip(.colon) {
      var bounds = SliceExpression.Bounds(start: first)
      bounds.stop = try parseBound()
      if skip(.colon) { bounds.step = try parseBound() }
      try expect(.rightBracket)
      return SliceExpression(object, bounds, at: position)
    }
    guard let first else { throw unexpected("an expression") }
    var indices = [first]
    while skip(.comma), !isAt(.rightBracket) { indices.append(try parseExpression()) }
    try expect(.rightBracket)
    let index =
      indices.count == 1 ? first : SequenceExpression(indices, isTuple: true, at: position)
    return SubscriptExpression(object, index, at: position)
  }

  private mutating func parseBound() throws(TemplateError) -> (any Expression)? {
    isAt(.colon) || isAt(.rightBracket) ? nil : try parseExpression()
  }

  mutating func parseArguments() throws(TemplateError) -> ArgumentExpressions {
    try expect(.leftParenthesis)
    var arguments = ArgumentExpressions()
    var isFirst = true
    while !isAt(.rightParenthesis) {
      if !isFirst { try expect(.comma) }
      isFirst = false
      if isAt(.rightParenthesis) { break }
      try parseArgument(into: &arguments)
    }
    try expect(.rightParenthesis)
    return arguments
  }

  private mutating func parseArgument(
    into arguments: inout ArgumentExpressions
  ) throws(TemplateError) {
    let position = current.position
    let isAfterMapping = arguments.unpackedMapping != nil
    let isAfterList = arguments.unpackedList != nil || isAfterMapping
    if skip(.times) {
      guard !isAfterList else { throw failure("a second '*' argument", at: position) }
      arguments.unpackedList = try parseExpression()
    } else if skip(.power) {
      guard !isAfterMapping else { throw failure("a second '**' argument", at: position) }
      arguments.unpackedMapping = try parseExpression()
    } else if case .name(let name) = current.kind, next == .symbol(.assign) {
      guard !isAfterMapping else { throw failure("an argument after '**'", at: position) }
      advance()
      advance()
      arguments.keywords.append((name, try parseExpression()))
    } else {
      guard !isAfterList, arguments.keywords.isEmpty else {
        throw failure("a positional argument after named ones", at: position)
      }
      arguments.positional.append(try parseExpression())
    }
  }

  // MARK: Filters and tests

  mutating func parseFiltersAndTests(
    _ operand: any Expression
  ) throws(TemplateError) -> any Expression {
    var expression = operand
    while true {
      if skip(.pipe) {
        expression = FilterExpression(expression, try parseFilterCall())
      } else if isAt(name: "is") {
        expression = try parseTest(of: expression)
      } else if isAt(.leftParenthesis) {
        let position = current.position
        expression = CallExpression(expression, try parseArguments(), at: position)
      } else {
        return expression
      }
      expression = try checked(expression)
    }
  }

  /// The filters of a `filter` tag: a first one without a bar, then more.
  mutating func parseFilterChain() throws(TemplateError) -> [FilterCall] {
    var filters = [try parseFilterCall()]
    while skip(.pipe) { filters.append(try parseFilterCall()) }
    return filters
  }

  mutating func parseFilterCall() throws(TemplateError) -> FilterCall {
    let position = current.position
    let name = try parseDottedName()
    let filter = Filters.named(name)
    if filter == nil { noteUnknown("there is no filter '\(name)'", at: position) }
    let arguments = isAt(.leftParenthesis) ? try parseArguments() : ArgumentExpressions()
    return FilterCall(name: name, filter: filter, arguments: arguments, position: position)
  }

  private mutating func parseDottedName() throws(TemplateError) -> String {
    var name = try expectName()
    while skip(.dot) { name += "." + (try expectName()) }
    return name
  }

  private mutating func parseTest(
    of operand: any Expression
  ) throws(TemplateError) -> any Expression {
    advance()
    let isNegated = skip(name: "not")
    let position = current.position
    let name = try parseDottedName()
    let test = Tests.named(name)
    if test == nil { noteUnknown("there is no test '\(name)'", at: position) }
    var arguments = ArgumentExpressions()
    switch current.kind {
    case .symbol(.leftParenthesis):
      arguments = try parseArguments()
    case .name("else"), .name("or"), .name("and"):
      break
    case .name("is"):
      throw failure("tests cannot be chained with 'is'")
    case .name, .string, .integer, .float, .symbol(.leftBracket), .symbol(.leftBrace):
      arguments.positional = [try parsePostfix(try parsePrimary())]
    default:
      break
    }
    let expression = try checked(
      TestExpression(operand, name: name, test: test, arguments: arguments, at: position))
    return isNegated
      ? try checked(UnaryExpression(.not, expression, at: position)) : expression
  }
}
