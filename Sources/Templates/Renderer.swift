import JSON

/// The state of one render.
final class Renderer {
  let limits: TemplateLimits
  let clock: TemplateClock
  let account = MemoryAccount()
  /// The place of the node that is being evaluated, for errors.
  var position = SourcePosition.start
  var scope: Scope
  private let root: Scope
  /// The top-level variables by number; also those of the context and the global functions.
  private var globals: [TemplateValue?]
  private var output = TextBuffer()
  /// The size of the output that waits while a block's text is captured.
  private var waitingBytes = 0
  private let stack: StackGuard
  private var steps: Int
  private var depth = 0
  private var clearables: [any Clearable] = []

  /// What an item of a list is taken to weigh, a small string included.
  static let bytesPerItem = 96

  init(
    _ template: ParsedTemplate, context: JSONObject, clock: TemplateClock, limits: TemplateLimits
  ) throws(TemplateError) {
    self.limits = limits
    self.clock = clock
    steps = limits.steps
    stack = StackGuard(limit: limits.stackBytes)
    root = Scope(parent: nil)
    scope = root
    globals = Array(repeating: nil, count: template.names.count)
    for (id, name) in template.names.enumerated() {
      if let value = context[name] {
        let isToken = name.hasSuffix("_token")
        globals[id] = try value.templateValue(isData: !isToken, limits: limits)
      } else {
        globals[id] = Globals.value(named: name)
      }
    }
  }

  func render(_ body: Block) throws(TemplateError) -> RenderedText {
    _ = try body.execute(self)
    var runs: [RenderedText.Run] = []
    var start = 0
    for segment in output.segments {
      let text = String(decoding: output.bytes[start..<segment.end], as: UTF8.self)
      runs.append(RenderedText.Run(text: text, isData: segment.isData))
      start = segment.end
    }
    return RenderedText(runs: runs)
  }

  /// Takes apart what may hold itself.
  func clear() {
    for object in clearables { object.clear() }
    root.clear()
  }

  // MARK: Evaluation

  @inline(__always)
  func evaluate(_ expression: any Expression) throws(TemplateError) -> TemplateValue {
    try descend(at: expression)
    let value = try expression.evaluate(self)
    depth -= 1
    return value
  }

  @inline(__always)
  func execute(_ statement: any Statement) throws(TemplateError) -> Flow {
    try descend(at: nil)
    let flow = try statement.execute(self)
    depth -= 1
    return flow
  }

  /// Errors end the render, so the depth needs no repair when one is thrown.
  @inline(__always)
  private func descend(at expression: (any Expression)?) throws(TemplateError) {
    steps -= 1
    depth += 1
    if steps < 0 || depth > limits.depth || stack.isExhausted {
      if let expression { position = expression.position }
      throw steps < 0
        ? outOfSteps : limitReached("evaluation goes too deep (\(limits.depth) levels at most)")
    }
  }

  // MARK: Variables

  func lookup(_ id: Int) -> TemplateValue? {
    var next: Scope? = scope
    while let scope = next, scope !== root {
      if let value = scope[id] { return value }
      next = scope.parent
    }
    return globals[id]
  }

  /// Starts a scope within the current one, and returns the current one.
  func enterScope() -> Scope {
    let outer = scope
    scope = Scope(parent: outer)
    return outer
  }

  func set(_ id: Int, to value: TemplateValue) {
    if scope === root {
      globals[id] = value
    } else {
      scope[id] = value
    }
  }

  func assign(_ value: TemplateValue, to target: AssignmentTarget) throws(TemplateError) {
    switch target {
    case .name(let id):
      set(id, to: value)
    case .tuple(let targets):
      let items = try items(of: value)
      guard items.count == targets.count else {
        throw failure("\(items.count) values cannot be assigned to \(targets.count) names")
      }
      for (target, item) in zip(targets, items) { try assign(item, to: target) }
    case .attribute(let variable, let name, let position):
      self.position = position
      guard case .object(let object) = lookup(variable), let namespace = object as? NamespaceObject
      else { throw failure("only attributes of namespaces can be set") }
      try namespace.set(name, to: value, self)
    }
  }

  // MARK: Output

  func print(_ bytes: [UInt8]) throws(TemplateError) {
    try reserveOutput(bytes.count)
    output.append(bytes, isData: false)
  }

  func print(_ string: TemplateString) throws(TemplateError) {
    try reserveOutput(string.bytes.count)
    output.append(string)
  }

  private func reserveOutput(_ count: Int) throws(TemplateError) {
    try spend(bytes: count)
    guard waitingBytes + output.size + count <= limits.outputBytes else {
      throw limitReached("it prints more than \(limits.outputBytes) bytes")
    }
  }

  /// What a block prints, in a scope of its own.
  func capture(_ body: Block) throws(TemplateError) -> TemplateString {
    let outer = enterScope()
    let text = try capture { renderer throws(TemplateError) in
      _ = try body.execute(renderer)
    }
    scope = outer
    return text
  }

  func capture(
    _ body: (Renderer) throws(TemplateError) -> Void
  ) throws(TemplateError) -> TemplateString {
    var captured = TextBuffer()
    swap(&captured, &output)
    waitingBytes += captured.size
    try body(self)
    swap(&captured, &output)
    waitingBytes -= output.size
    return try makeString(captured)
  }

  func apply(
    _ filters: [FilterCall], to input: TemplateValue
  ) throws(TemplateError) -> TemplateValue {
    var value = input
    for filter in filters { value = try filter.apply(to: value, self) }
    return value
  }

  // MARK: Objects that can change

  func makeMacro(_ definition: MacroDefinition) throws(TemplateError) -> MacroObject {
    var next: Scope? = scope
    while let scope = next, !scope.isCaptured {
      scope.isCaptured = true
      try register(scope)
      next = scope.parent
    }
    try spend(8)
    return MacroObject(definition, scope: scope)
  }

  func register(_ object: any Clearable) throws(TemplateError) {
    try spend(64)
    clearables.append(object)
  }

  // MARK: Budgets and errors

  func spend(_ count: Int) throws(TemplateError) {
    steps -= count
    if steps < 0 { throw outOfSteps }
  }

  func spend(bytes: Int) throws(TemplateError) { try spend(bytes / 64) }

  func failure(_ message: String) -> TemplateError {
    TemplateError(.runtime, message, at: position)
  }

  func limitReached(_ message: String) -> TemplateError {
    TemplateError(.limit, message, at: position)
  }

  private var outOfSteps: TemplateError {
    limitReached("it takes more than \(limits.steps) steps")
  }
}
