/// The `loop` variable of a running loop.
final class LoopObject: TemplateObject, Clearable {
  private let statement: ForStatement
  /// The scope around the loop; given up when the loop ends, so that loops kept in variables cannot
  /// form long chains.
  private var scope: Scope?
  private let items: [TemplateValue]
  private let level: Int
  private let itemDepth: Int
  private let allocation: Allocation
  /// The first item that has not been looked at.
  private var nextIndex = 0
  /// Items that passed the loop's `if` ahead of their turn.
  private var ahead: [TemplateValue] = []
  private var aheadStart = 0
  private var index = -1
  private var previous: TemplateValue?
  private var current: TemplateValue?
  private var lastChanged: [TemplateValue]?

  init(
    _ statement: ForStatement, items: [TemplateValue], depth level: Int, scope: Scope,
    account: MemoryAccount
  ) {
    self.statement = statement
    self.items = items
    self.level = level
    self.scope = scope
    itemDepth = items.maximumDepth
    allocation = Allocation(account, bytes: items.count * Renderer.bytesPerItem)
  }

  override var typeName: String { "a loop" }
  override var depth: Int { itemDepth + 1 }
  override var isCallable: Bool { statement.isRecursive }

  /// Moves on to the next item.
  func advance(_ renderer: Renderer) throws(TemplateError) -> TemplateValue? {
    guard let item = try peek(renderer) else { return nil }
    aheadStart += 1
    if aheadStart == ahead.count {
      ahead.removeAll(keepingCapacity: true)
      aheadStart = 0
    }
    index += 1
    previous = current
    current = item
    return item
  }

  private func peek(_ renderer: Renderer) throws(TemplateError) -> TemplateValue? {
    if aheadStart == ahead.count { try lookAhead(renderer) }
    return aheadStart < ahead.count ? ahead[aheadStart] : nil
  }

  private func lookAhead(_ renderer: Renderer) throws(TemplateError) {
    guard let scope else { return }
    while nextIndex < items.count {
      try renderer.spend(1)
      let item = items[nextIndex]
      nextIndex += 1
      if try statement.accepts(item, scope: scope, renderer) {
        ahead.append(item)
        return
      }
    }
  }

  private func count(_ renderer: Renderer) throws(TemplateError) -> Int {
    if statement.filter == nil { return items.count }
    while scope != nil, nextIndex < items.count { try lookAhead(renderer) }
    return index + 1 + ahead.count - aheadStart
  }

  override func attribute(
    _ name: String, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue? {
    switch name {
    case "index": return .int(index + 1)
    case "index0": return .int(index)
    case "first": return .bool(index == 0)
    case "last": return .bool(try peek(renderer) == nil)
    case "length": return .int(try count(renderer))
    case "revindex": return .int(try count(renderer) - index)
    case "revindex0": return .int(try count(renderer) - index - 1)
    case "depth": return .int(level)
    case "depth0": return .int(level - 1)
    case "previtem": return previous ?? .undefined(Undefined(key: "the item before the first"))
    case "nextitem":
      return try peek(renderer) ?? .undefined(Undefined(key: "the item after the last"))
    case "cycle":
      return .object(
        FunctionObject("cycle", receiverDepth: depth) { renderer, arguments throws(TemplateError) in
          try self.cycle(arguments, renderer)
        })
    case "changed":
      return .object(
        FunctionObject("changed", receiverDepth: depth) {
          renderer, arguments throws(TemplateError) in
          try self.changed(arguments, renderer)
        })
    default: return nil
    }
  }

  private func cycle(
    _ arguments: Arguments, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue {
    let choices = arguments.positional
    guard !choices.isEmpty else { throw renderer.failure("loop.cycle needs values to choose from") }
    return choices[max(index, 0) % choices.count]
  }

  private func changed(
    _ arguments: Arguments, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue {
    let values = arguments.positional
    if let lastChanged, try renderer.areEqual(lastChanged, values) { return .bool(false) }
    if lastChanged == nil { try renderer.register(self) }
    lastChanged = values
    return .bool(true)
  }

  /// `loop(items)` in a recursive loop: the loop's text for other items.
  override func call(
    _ arguments: Arguments, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue {
    guard statement.isRecursive, let scope else {
      throw renderer.failure("only a running loop marked 'recursive' can be called")
    }
    let bound = try arguments.bind("loop", ["iterable"], required: 1, renderer)
    let text = try renderer.capture { renderer throws(TemplateError) in
      _ = try statement.run(bound[0] ?? .null, depth: level + 1, scope: scope, renderer)
    }
    return .string(text)
  }

  func end() { scope = nil }

  func clear() { lastChanged = nil }
}
