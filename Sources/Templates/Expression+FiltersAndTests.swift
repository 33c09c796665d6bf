/// `input | name(arguments)`.
final class FilterExpression: Expression {
  let position: SourcePosition
  let input: any Expression
  let call: FilterCall
  let depth: Int

  init(_ input: any Expression, _ call: FilterCall) {
    self.input = input
    self.call = call
    position = call.position
    depth = 1 + max(input.depth, call.arguments.depth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    try call.apply(to: try renderer.evaluate(input), renderer)
  }
}

/// A filter with its arguments, without the input.
struct FilterCall: Sendable {
  let name: String
  /// nil where there is no such filter; that fails when (and if) the filter is applied.
  let filter: Filter?
  let arguments: ArgumentExpressions
  let position: SourcePosition

  func apply(
    to input: TemplateValue, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue {
    let values = try arguments.evaluate(renderer)
    renderer.position = position
    guard let filter else { throw renderer.failure("there is no filter '\(name)'") }
    return try filter(renderer, input, values)
  }
}

/// `input is name(arguments)`.
final class TestExpression: Expression {
  let position: SourcePosition
  let input: any Expression
  let name: String
  let test: ValueTest?
  let arguments: ArgumentExpressions
  let depth: Int

  init(
    _ input: any Expression, name: String, test: ValueTest?, arguments: ArgumentExpressions,
    at position: SourcePosition
  ) {
    self.input = input
    self.name = name
    self.test = test
    self.arguments = arguments
    self.position = position
    depth = 1 + max(input.depth, arguments.depth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    let value = try renderer.evaluate(input)
    let values = try arguments.evaluate(renderer)
    renderer.position = position
    guard let test else { throw renderer.failure("there is no test '\(name)'") }
    return .bool(try test(renderer, value, values))
  }
}
