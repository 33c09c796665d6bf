/// What a macro or a call block declares.
final class MacroDefinition: Sendable {
  struct Parameter: Sendable {
    let name: String
    let id: Int
    let fallback: (any Expression)?
  }

  let name: String
  let parameters: [Parameter]
  let body: Block
  /// Variables of the special names, where the body uses them.
  let callerID: Int?
  let keywordsID: Int?
  let extraID: Int?

  init(
    name: String, parameters: [Parameter], body: Block, callerID: Int?, keywordsID: Int?,
    extraID: Int?
  ) {
    self.name = name
    self.parameters = parameters
    self.body = body
    self.callerID = callerID
    self.keywordsID = keywordsID
    self.extraID = extraID
  }
}

/// `{% macro name(parameters) %}body{% endmacro %}`.
struct MacroStatement: Statement {
  let id: Int
  let definition: MacroDefinition

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    renderer.set(id, to: .object(try renderer.makeMacro(definition)))
    return .next
  }
}

/// `{% call(parameters) macro(arguments) %}body{% endcall %}`.
struct CallStatement: Statement {
  let call: CallExpression
  let definition: MacroDefinition

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    let caller = TemplateValue.object(try renderer.makeMacro(definition))
    let value = try call.evaluate(renderer, caller: caller)
    renderer.position = call.position
    try renderer.print(try renderer.text(of: value))
    return .next
  }
}
