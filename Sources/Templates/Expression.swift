/// A node that yields a value.
protocol Expression: Sendable {
  var position: SourcePosition { get }
  /// The height of the node's tree, which bounds the stack that evaluating it needs.
  var depth: Int { get }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue
}

/// `none`, `true`, `1`, `1.5`.
final class ConstantExpression: Expression {
  enum Constant: Sendable { case null, bool(Bool), int(Int), double(Double) }

  let position: SourcePosition
  let constant: Constant
  var depth: Int { 1 }

  init(_ constant: Constant, at position: SourcePosition) {
    self.constant = constant
    self.position = position
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    switch constant {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    }
  }
}

final class StringExpression: Expression {
  let position: SourcePosition
  let bytes: [UInt8]
  let scalarCount: Int
  var depth: Int { 1 }

  init(_ text: String, at position: SourcePosition) {
    bytes = Array(text.utf8)
    scalarCount = text.unicodeScalars.count
    self.position = position
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    .string(TemplateString(bytes: bytes, scalarCount: scalarCount))
  }
}

/// The use of a variable.
final class NameExpression: Expression {
  let position: SourcePosition
  let name: String
  let id: Int
  var depth: Int { 1 }

  init(_ name: String, id: Int, at position: SourcePosition) {
    self.name = name
    self.id = id
    self.position = position
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    renderer.lookup(id) ?? .undefined(Undefined(key: name))
  }
}

/// `[a, b]`, or `(a, b)` where `isTuple`.
final class SequenceExpression: Expression {
  let position: SourcePosition
  let elements: [any Expression]
  let isTuple: Bool
  let depth: Int

  init(_ elements: [any Expression], isTuple: Bool, at position: SourcePosition) {
    self.elements = elements
    self.isTuple = isTuple
    self.position = position
    depth = 1 + elements.maximumDepth
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    var items: [TemplateValue] = []
    items.reserveCapacity(elements.count)
    for element in elements { items.append(try renderer.evaluate(element)) }
    let list = try renderer.makeList(items)
    return isTuple ? .tuple(list) : .list(list)
  }
}

/// `{key: value}`.
final class MappingExpression: Expression {
  let position: SourcePosition
  let members: [(key: any Expression, value: any Expression)]
  let depth: Int

  init(_ members: [(key: any Expression, value: any Expression)], at position: SourcePosition) {
    self.members = members
    self.position = position
    depth = 1 + max(members.map(\.key).maximumDepth, members.map(\.value).maximumDepth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    var builder = MappingBuilder()
    for member in members {
      let key = try renderer.evaluate(member.key)
      try builder.set(key, to: try renderer.evaluate(member.value), renderer)
    }
    return .mapping(try renderer.makeMapping(builder))
  }
}

extension Sequence where Element == any Expression {
  var maximumDepth: Int { lazy.map(\.depth).max() ?? 0 }
}
