/// A macro or a call block's `caller`, with the scope it was defined in.
final class MacroObject: TemplateObject {
  private let definition: MacroDefinition
  private let scope: Scope

  init(_ definition: MacroDefinition, scope: Scope) {
    self.definition = definition
    self.scope = scope
  }

  override var typeName: String { "macro '\(definition.name)'" }
  override var isCallable: Bool { true }

  override func attribute(
    _ name: String, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue? {
    switch name {
    case "name": return .string(definition.name)
    case "arguments":
      return .tuple(try renderer.makeList(definition.parameters.map { .string($0.name) }))
    case "catch_kwargs": return .bool(definition.keywordsID != nil)
    case "catch_varargs": return .bool(definition.extraID != nil)
    case "caller": return .bool(definition.callerID != nil)
    default: return nil
    }
  }

  override func call(
    _ arguments: Arguments, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue {
    let outer = renderer.scope
    renderer.scope = Scope(parent: scope)
    try bind(arguments, renderer)
    let text = try renderer.capture(definition.body)
    renderer.scope = outer
    return .string(text)
  }

  /// Sets the parameters in the macro's own scope. Defaults see the parameters before them.
  private func bind(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) {
    let position = renderer.position
    let parameters = definition.parameters
    var keywords = arguments.keywords
    for (index, parameter) in parameters.enumerated() {
      if index < arguments.positional.count {
        renderer.scope[parameter.id] = arguments.positional[index]
      } else if let found = keywords.lastIndex(where: { $0.name == parameter.name }) {
        renderer.scope[parameter.id] = keywords.remove(at: found).value
      } else if let fallback = parameter.fallback {
        renderer.scope[parameter.id] = try renderer.evaluate(fallback)
      } else {
        renderer.scope[parameter.id] = .undefined(Undefined(key: parameter.name))
      }
    }
    renderer.position = position
    if let callerID = definition.callerID, !parameters.contains(where: { $0.name == "caller" }) {
      let caller = keywords.firstIndex { $0.name == "caller" }.map { keywords.remove(at: $0).value }
      renderer.scope[callerID] = caller ?? .undefined(Undefined(key: "caller"))
    }
    if let keywordsID = definition.keywordsID {
      var builder = MappingBuilder()
      for keyword in keywords {
        try builder.set(.string(keyword.name), to: keyword.value, renderer)
      }
      renderer.scope[keywordsID] = .mapping(try renderer.makeMapping(builder))
    } else if let keyword = keywords.first {
      throw renderer.failure("\(typeName) takes no argument '\(keyword.name)'")
    }
    let extra = arguments.positional.dropFirst(parameters.count)
    if let extraID = definition.extraID {
      renderer.scope[extraID] = .tuple(try renderer.makeList(Array(extra)))
    } else if !extra.isEmpty {
      throw renderer.failure("\(typeName) takes no more than \(parameters.count) arguments")
    }
  }
}
