/// A value with behaviour of its own: functions, macros, loops, namespaces, lazy sequences.
class TemplateObject {
  var typeName: String { "an object" }
  /// How `print` and `string` show it.
  var displayText: String { "<\(typeName)>" }
  /// How deeply the values inside are nested.
  var depth: Int { 1 }
  var weight: Int { 1 }
  /// The number of items where that is known without side effects.
  var length: Int? { nil }
  var isCallable: Bool { false }
  var isIterable: Bool { false }

  /// The attribute of a name, or nil.
  func attribute(_ name: String, _ renderer: Renderer) throws(TemplateError) -> TemplateValue? {
    nil
  }

  func call(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    throw renderer.failure("\(typeName) cannot be called")
  }

  func items(_ renderer: Renderer) throws(TemplateError) -> [TemplateValue] {
    throw renderer.failure("\(typeName) cannot be iterated over")
  }
}

/// An object that can change, and so come to hold itself; cleared at the end of a render.
protocol Clearable: AnyObject {
  func clear()
}

/// A function of the environment or a method of a value.
final class FunctionObject: TemplateObject {
  typealias Body = (Renderer, Arguments) throws(TemplateError) -> TemplateValue

  private let name: String
  private let body: Body
  private let receiverDepth: Int

  init(_ name: String, receiverDepth: Int = 0, _ body: @escaping Body) {
    self.name = name
    self.body = body
    self.receiverDepth = receiverDepth
  }

  override var typeName: String { "function \(name)" }
  override var depth: Int { receiverDepth + 1 }
  override var isCallable: Bool { true }

  override func call(
    _ arguments: Arguments, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue {
    try body(renderer, arguments)
  }
}

/// Items that are computed when they are first asked for, and can be walked through once.
final class LazySequence: TemplateObject {
  typealias Producer = (Renderer) throws(TemplateError) -> [TemplateValue]

  private var producer: Producer?
  private let sourceDepth: Int

  init(sourceDepth: Int, _ producer: @escaping Producer) {
    self.sourceDepth = sourceDepth
    self.producer = producer
  }

  override var typeName: String { "a generator" }
  override var depth: Int { sourceDepth + 1 }
  override var isIterable: Bool { true }

  override func items(_ renderer: Renderer) throws(TemplateError) -> [TemplateValue] {
    guard let producer else { return [] }
    self.producer = nil
    return try producer(renderer)
  }
}

/// What `mapping.items()`, `.keys()` and `.values()` give.
final class MappingView: TemplateObject {
  enum Kind: String { case items, keys, values }

  let mapping: MappingValue
  let kind: Kind

  init(_ mapping: MappingValue, _ kind: Kind) {
    self.mapping = mapping
    self.kind = kind
  }

  override var typeName: String { "a view of a mapping's \(kind.rawValue)" }
  override var depth: Int { mapping.depth + 1 }
  override var weight: Int { mapping.weight }
  override var length: Int? { mapping.count }
  override var isIterable: Bool { true }

  override func items(_ renderer: Renderer) throws(TemplateError) -> [TemplateValue] {
    switch kind {
    case .keys: return mapping.keys
    case .values: return mapping.values
    case .items:
      var pairs: [TemplateValue] = []
      pairs.reserveCapacity(mapping.count)
      for (key, value) in zip(mapping.keys, mapping.values) {
        pairs.append(.tuple(try renderer.makeList([key, value])))
      }
      return pairs
    }
  }
}

/// What `namespace()` makes: attributes that inner scopes can set.
final class NamespaceObject: TemplateObject, Clearable {
  private(set) var attributes = MappingBuilder()

  override var typeName: String { "a namespace" }

  init(_ attributes: MappingBuilder) {
    self.attributes = attributes
  }

  func set(
    _ name: String, to value: TemplateValue, _ renderer: Renderer
  ) throws(TemplateError) {
    try attributes.set(.string(name), to: value, renderer)
  }

  override func attribute(
    _ name: String, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue? {
    attributes[.string(Array(name.utf8))]
  }

  func clear() { attributes = MappingBuilder() }
}
