/// `not a`, `-a`, `+a`.
final class UnaryExpression: Expression {
  enum Operator: Sendable { case not, negative, positive }

  let position: SourcePosition
  let operation: Operator
  let operand: any Expression
  let depth: Int

  init(_ operation: Operator, _ operand: any Expression, at position: SourcePosition) {
    self.operation = operation
    self.operand = operand
    self.position = position
    depth = 1 + operand.depth
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    let value = try renderer.evaluate(operand)
    renderer.position = position
    return switch operation {
    case .not: .bool(!value.isTrue)
    case .negative: try renderer.negate(value)
    case .positive: try renderer.requireNumber(value)
    }
  }
}

/// An arithmetic operation on two operands.
final class BinaryExpression: Expression {
  let position: SourcePosition
  let operation: ArithmeticOperator
  let left: any Expression
  let right: any Expression
  let depth: Int

  init(
    _ operation: ArithmeticOperator, _ left: any Expression, _ right: any Expression,
    at position: SourcePosition
  ) {
    self.operation = operation
    self.left = left
    self.right = right
    self.position = position
    depth = 1 + max(left.depth, right.depth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    let first = try renderer.evaluate(left)
    let second = try renderer.evaluate(right)
    renderer.position = position
    return try renderer.apply(operation, first, second)
  }
}

/// `a and b`, `a or b`: the value of the operand that decides.
final class LogicalExpression: Expression {
  let position: SourcePosition
  let isAnd: Bool
  let left: any Expression
  let right: any Expression
  let depth: Int

  init(
    isAnd: Bool, _ left: any Expression, _ right: any Expression, at position: SourcePosition
  ) {
    self.isAnd = isAnd
    self.left = left
    self.right = right
    self.position = position
    depth = 1 + max(left.depth, right.depth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    let first = try renderer.evaluate(left)
    return first.isTrue == isAnd ? try renderer.evaluate(right) : first
  }
}

/// `a < b <= c`: true where every link of the chain holds.
final class ComparisonExpression: Expression {
  struct Link: Sendable {
    let comparison: Comparison
    let operand: any Expression
  }

  let position: SourcePosition
  let first: any Expression
  let links: [Link]
  let depth: Int

  init(_ first: any Expression, _ links: [Link], at position: SourcePosition) {
    self.first = first
    self.links = links
    self.position = position
    depth = 1 + max(first.depth, links.map(\.operand).maximumDepth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    var left = try renderer.evaluate(first)
    for link in links {
      let right = try renderer.evaluate(link.operand)
      renderer.position = position
      guard try renderer.compare(link.comparison, left, right) else { return .bool(false) }
      left = right
    }
    return .bool(true)
  }
}

/// `a ~ b ~ c`.
final class ConcatenationExpression: Expression {
  let position: SourcePosition
  let operands: [any Expression]
  let depth: Int

  init(_ operands: [any Expression], at position: SourcePosition) {
    self.operands = operands
    self.position = position
    depth = 1 + operands.maximumDepth
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    var buffer = TextBuffer()
    for operand in operands {
      let value = try renderer.evaluate(operand)
      renderer.position = position
      try renderer.append(try renderer.text(of: value), to: &buffer)
    }
    return .string(try renderer.makeString(buffer))
  }
}

/// `a if test else b`; without `else`, undefined where the test fails.
final class ConditionalExpression: Expression {
  let position: SourcePosition
  let test: any Expression
  let value: any Expression
  let alternative: (any Expression)?
  let depth: Int

  init(
    test: any Expression, value: any Expression, alternative: (any Expression)?,
    at position: SourcePosition
  ) {
    self.test = test
    self.value = value
    self.alternative = alternative
    self.position = position
    depth = 1 + max(test.depth, value.depth, alternative?.depth ?? 0)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    if try renderer.evaluate(test).isTrue { return try renderer.evaluate(value) }
    guard let alternative else {
      return .undefined(Undefined(key: "the inline if without an else branch"))
    }
    return try renderer.evaluate(alternative)
  }
}
