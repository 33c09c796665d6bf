/// How a statement ended.
enum Flow { case next, breakLoop, continueLoop }

/// A node that prints or changes variables.
protocol Statement: Sendable {
  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow
}

/// Statements in order.
struct Block: Sendable {
  var statements: [any Statement] = []

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    for statement in statements {
      let flow = try renderer.execute(statement)
      if flow != .next { return flow }
    }
    return .next
  }
}

/// Text outside of tags.
struct TextStatement: Statement {
  let bytes: [UInt8]

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    try renderer.print(bytes)
    return .next
  }
}

/// `{{ expression }}`.
struct PrintStatement: Statement {
  let expression: any Expression

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    let value = try renderer.evaluate(expression)
    renderer.position = expression.position
    try renderer.print(try renderer.text(of: value))
    return .next
  }
}

/// `{% if %}` with its `elif` branches.
final class IfStatement: Statement {
  struct Branch: Sendable {
    let test: any Expression
    let body: Block
  }

  let branches: [Branch]
  let alternative: Block

  init(branches: [Branch], alternative: Block) {
    self.branches = branches
    self.alternative = alternative
  }

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    for branch in branches where try renderer.evaluate(branch.test).isTrue {
      return try branch.body.execute(renderer)
    }
    return try alternative.execute(renderer)
  }
}

/// `{% set target = expression %}`.
struct SetStatement: Statement {
  let target: AssignmentTarget
  let expression: any Expression

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    let value = try renderer.evaluate(expression)
    renderer.position = expression.position
    try renderer.assign(value, to: target)
    return .next
  }
}

/// `{% set target | filters %}body{% endset %}`.
struct SetBlockStatement: Statement {
  let target: AssignmentTarget
  let filters: [FilterCall]
  let body: Block

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    let text = try renderer.capture(body)
    try renderer.assign(try renderer.apply(filters, to: .string(text)), to: target)
    return .next
  }
}

/// `{% filter filters %}body{% endfilter %}`.
struct FilterStatement: Statement {
  let filters: [FilterCall]
  let body: Block

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    let text = try renderer.capture(body)
    let value = try renderer.apply(filters, to: .string(text))
    try renderer.print(try renderer.text(of: value))
    return .next
  }
}

/// `{% with name = value %}body{% endwith %}`; with no assignments, a body with a scope of its own
/// (`{% generation %}`, `{% block %}`).
struct ScopeStatement: Statement {
  var assignments: [(target: AssignmentTarget, value: any Expression)] = []
  let body: Block

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    var values: [TemplateValue] = []
    for assignment in assignments { values.append(try renderer.evaluate(assignment.value)) }
    let outer = renderer.enterScope()
    for (assignment, value) in zip(assignments, values) {
      try renderer.assign(value, to: assignment.target)
    }
    let flow = try body.execute(renderer)
    renderer.scope = outer
    return flow
  }
}

/// `{% break %}` and `{% continue %}`.
struct LoopControlStatement: Statement {
  let flow: Flow

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow { flow }
}

/// A tag that needs other templates, which chat templates do not have.
struct UnavailableStatement: Statement {
  let tag: String
  let position: SourcePosition

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    renderer.position = position
    throw renderer.failure("'\(tag)' needs other templates, and a chat template stands alone")
  }
}

/// Where an assignment puts its value.
enum AssignmentTarget: Sendable {
  case name(Int)
  case tuple([AssignmentTarget])
  /// `namespace.attribute`
  case attribute(variable: Int, name: String, position: SourcePosition)
}
