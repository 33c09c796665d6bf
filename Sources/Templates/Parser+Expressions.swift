extension Parser {
  mutating func parseExpression(
    allowsConditional: Bool = true
  ) throws(TemplateError) -> any Expression {
    allowsConditional ? try parseConditional() : try parseBinary(.or)
  }

  /// Parses one expression, or a tuple where commas follow.
  mutating func parseTuple(
    allowsConditional: Bool = true, until end: String? = nil, inParentheses: Bool = false
  ) throws(TemplateError) -> any Expression {
    let position = current.position
    var elements: [any Expression] = []
    var isTuple = false
    while !isAtEndOfTuple(end) {
      elements.append(try parseExpression(allowsConditional: allowsConditional))
      guard skip(.comma) else { break }
      isTuple = true
    }
    if !isTuple {
      if let element = elements.first { return element }
      guard inParentheses else { throw unexpected("an expression") }
    }
    return try checked(SequenceExpression(elements, isTuple: true, at: position))
  }

  private func isAtEndOfTuple(_ end: String?) -> Bool {
    switch current.kind {
    case .outputEnd, .statementEnd, .symbol(.rightParenthesis): true
    case .name(let name): name == end
    default: false
    }
  }

  private mutating func parseConditional() throws(TemplateError) -> any Expression {
    let wasConditional = isConditional
    let unknownBefore = unknownName
    var expression = try parseBinary(.or)
    while isAt(name: "if") {
      let position = current.position
      advance()
      // What stands before the `if` turns out to be conditional, too.
      unknownName = unknownBefore
      isConditional = true
      defer { isConditional = wasConditional }
      let test = try parseBinary(.or)
      var alternative: (any Expression)?
      if skip(name: "else") {
        try enter()
        alternative = try parseConditional()
        leave()
      }
      expression = try checked(
        ConditionalExpression(
          test: test, value: expression, alternative: alternative, at: position))
    }
    return expression
  }

  /// How tightly binary operators bind, weakest first.
  enum Precedence: Int, Comparable {
    case or, and, not, comparison, sum, concatenation, product, power, unary

    static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
  }

  private enum BinaryOperator {
    case and, or, concatenation
    case arithmetic(ArithmeticOperator, Precedence)
    case comparison(Comparison, tokens: Int)

    var precedence: Precedence {
      switch self {
      case .or: .or
      case .and: .and
      case .comparison: .comparison
      case .concatenation: .concatenation
      case .arithmetic(_, let precedence): precedence
      }
    }
  }

  private var binaryOperator: BinaryOperator? {
    switch current.kind {
    case .name("or"): .or
    case .name("and"): .and
    case .name("in"): .comparison(.in, tokens: 1)
    case .name("not"): next == .name("in") ? .comparison(.notIn, tokens: 2) : nil
    case .symbol(let symbol):
      switch symbol {
      case .plus: .arithmetic(.add, .sum)
      case .minus: .arithmetic(.subtract, .sum)
      case .tilde: .concatenation
      case .times: .arithmetic(.multiply, .product)
      case .divide: .arithmetic(.divide, .product)
      case .floorDivide: .arithmetic(.floorDivide, .product)
      case .modulo: .arithmetic(.modulo, .product)
      case .power: .arithmetic(.power, .power)
      case .equal: .comparison(.equal, tokens: 1)
      case .notEqual: .comparison(.notEqual, tokens: 1)
      case .less: .comparison(.less, tokens: 1)
      case .lessOrEqual: .comparison(.lessOrEqual, tokens: 1)
      case .greater: .comparison(.greater, tokens: 1)
      case .greaterOrEqual: .comparison(.greaterOrEqual, tokens: 1)
      default: nil
      }
    default: nil
    }
  }

  /// Parses operators that bind at least as tightly as `minimum` (precedence climbing).
  private mutating func parseBinary(
    _ minimum: Precedence
  ) throws(TemplateError) -> any Expression {
    try enter()
    defer { leave() }
    var left: any Expression
    if minimum <= .not, isAt(name: "not") {
      let position = current.position
      advance()
      left = try checked(UnaryExpression(.not, try parseBinary(.not), at: position))
    } else {
      left = try parseUnary(withFilters: true)
    }
    while let operation = binaryOperator, operation.precedence >= minimum {
      let position = current.position
      switch operation {
      case .and, .or:
        advance()
        let right = try parseBinary(operation.precedence == .or ? .and : .not)
        left = LogicalExpression(
          isAnd: operation.precedence == .and, left, right, at: position)
      case .arithmetic(let arithmetic, let precedence):
        advance()
        let right = try parseBinary(precedence == .sum ? .concatenation : precedence.tighter)
        left = BinaryExpression(arithmetic, left, right, at: position)
      case .concatenation:
        var operands = [left]
        while skip(.tilde) { operands.append(try parseBinary(.product)) }
        left = ConcatenationExpression(operands, at: position)
      case .comparison:
        left = ComparisonExpression(left, try parseComparisonLinks(), at: position)
      }
      left = try checked(left)
    }
    return left
  }

  private mutating func parseComparisonLinks() throws(TemplateError)
    -> [ComparisonExpression.Link]
  {
    var links: [ComparisonExpression.Link] = []
    while case .comparison(let comparison, let count) = binaryOperator {
      for _ in 0..<count { advance() }
      links.append(.init(comparison: comparison, operand: try parseBinary(.sum)))
    }
    return links
  }

  private mutating func parseUnary(withFilters: Bool) throws(TemplateError) -> any Expression {
    let position = current.position
    var expression: any Expression
    if isAt(.minus) || isAt(.plus) {
      let operation: UnaryExpression.Operator = isAt(.minus) ? .negative : .positive
      advance()
      try enter()
      expression = UnaryExpression(operation, try parseUnary(withFilters: false), at: position)
      leave()
    } else {
      expression = try parsePrimary()
    }
    expression = try parsePostfix(try checked(expression))
    return withFilters ? try parseFiltersAndTests(expression) : expression
  }
}

extension Parser.Precedence {
  var tighter: Self { Self(rawValue: rawValue + 1) ?? .unary }
}
