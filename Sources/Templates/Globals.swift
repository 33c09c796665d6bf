/// The functions that every template can call.
enum Globals {
  static func value(named name: String) -> TemplateValue? {
    switch name {
    case "range": function(name, range)
    case "dict": function(name, dict)
    case "namespace": function(name, namespace)
    case "raise_exception": function(name, raise)
    case "strftime_now": function(name, now)
    case "cycler": function(name, cycler)
    case "joiner": function(name, joiner)
    default: nil
    }
  }

  private static func function(
    _ name: String, _ body: @escaping FunctionObject.Body
  ) -> TemplateValue {
    .object(FunctionObject(name, body))
  }

  private static func range(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind("range", ["start", "stop", "step"], required: 1, renderer)
    var start = 0
    var stop = try renderer.integer(bound[0], "stop")
    if bound[1] != nil {
      start = stop
      stop = try renderer.integer(bound[1], "stop")
    }
    let step = try renderer.integer(bound[2], "step", default: 1)
    guard step != 0 else { throw renderer.failure("the step of a range cannot be zero") }
    let (distance, overflow) =
      step > 0
      ? stop.subtractingReportingOverflow(start) : start.subtractingReportingOverflow(stop)
    let stride = Int(clamping: step.magnitude)
    let count = overflow ? .max : distance <= 0 ? 0 : (distance - 1) / stride + 1
    guard count <= renderer.limits.rangeLength else {
      throw renderer.limitReached("a range is longer than \(renderer.limits.rangeLength)")
    }
    return .range(RangeValue(start: start, step: step, count: count))
  }

  /// Members from a mapping or pairs, then from named arguments.
  private static func members(
    _ function: String, _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> MappingBuilder {
    var builder = MappingBuilder()
    guard arguments.positional.count <= 1 else {
      throw renderer.failure("'\(function)' takes one mapping at most")
    }
    switch arguments.positional.first {
    case nil: break
    case .mapping(let mapping): try builder.merge(mapping, renderer)
    case .undefined(let undefined): throw renderer.failure(undefined.message)
    case let value?:
      for pair in try renderer.items(of: value) {
        let parts = try renderer.items(of: pair)
        guard parts.count == 2 else { throw renderer.failure("'\(function)' needs pairs") }
        try builder.set(parts[0], to: parts[1], renderer)
      }
    }
    for keyword in arguments.keywords {
      try builder.set(.string(keyword.name), to: keyword.value, renderer)
    }
    return builder
  }

  private static func dict(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    .mapping(try renderer.makeMapping(try members("dict", renderer, arguments)))
  }

  private static func namespace(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let namespace = NamespaceObject(try members("namespace", renderer, arguments))
    try renderer.register(namespace)
    return .object(namespace)
  }

  private static func raise(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind("raise_exception", ["message"], required: 1, renderer)
    let message = try renderer.text(of: bound[0] ?? .null).text
    throw TemplateError(.raised(message), message, at: renderer.position)
  }

  private static func now(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind("strftime_now", ["format"], required: 1, renderer)
    let format = try renderer.requiredString(bound[0], "format")
    try renderer.spend(format.bytes.count)
    return .string(
      try renderer.makeString(
        renderer.clock.formatted(format.text), containsData: format.containsData))
  }

  private static func cycler(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    guard !arguments.positional.isEmpty, arguments.keywords.isEmpty else {
      throw renderer.failure("'cycler' needs values to choose from")
    }
    return .object(CyclerObject(try renderer.makeList(arguments.positional)))
  }

  private static func joiner(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind("joiner", ["sep"], renderer)
    let separator =
      try bound[0].map { value throws(TemplateError) in
        try renderer.text(of: value)
      } ?? TemplateString(", ")
    return .object(JoinerObject(separator))
  }
}

/// What `cycler()` makes: values given out in turn.
final class CyclerObject: TemplateObject {
  private let choices: ListValue
  private var position = 0

  init(_ choices: ListValue) {
    self.choices = choices
  }

  override var typeName: String { "a cycler" }
  override var depth: Int { choices.depth + 1 }

  override func attribute(
    _ name: String, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue? {
    switch name {
    case "current": return choices.items[position]
    case "next":
      return .object(
        FunctionObject(name, receiverDepth: depth) { _, _ throws(TemplateError) in
          let current = self.choices.items[self.position]
          self.position = (self.position + 1) % self.choices.items.count
          return current
        })
    case "reset":
      return .object(
        FunctionObject(name, receiverDepth: depth) { _, _ throws(TemplateError) in
          self.position = 0
          return .null
        })
    default: return nil
    }
  }
}

/// What `joiner()` makes: nothing at the first call, the separator at all others.
final class JoinerObject: TemplateObject {
  private let separator: TemplateString
  private var isUsed = false

  init(_ separator: TemplateString) {
    self.separator = separator
  }

  override var typeName: String { "a joiner" }
  override var isCallable: Bool { true }

  override func call(
    _ arguments: Arguments, _ renderer: Renderer
  ) throws(TemplateError) -> TemplateValue {
    defer { isUsed = true }
    return .string(isUsed ? separator : .empty)
  }
}
