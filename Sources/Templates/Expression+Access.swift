/// `object.name`: the object's own attribute or method first, then its item of that name.
final class AttributeExpression: Expression {
  let position: SourcePosition
  let object: any Expression
  let name: AttributeName
  let depth: Int

  init(_ object: any Expression, _ name: String, at position: SourcePosition) {
    self.object = object
    self.name = AttributeName(name)
    self.position = position
    depth = 1 + object.depth
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    let value = try renderer.evaluate(object)
    renderer.position = position
    return try renderer.attribute(name, of: value)
  }
}

/// `object[index]`: the item first, then the attribute of that name.
final class SubscriptExpression: Expression {
  let position: SourcePosition
  let object: any Expression
  let index: any Expression
  let depth: Int

  init(_ object: any Expression, _ index: any Expression, at position: SourcePosition) {
    self.object = object
    self.index = index
    self.position = position
    depth = 1 + max(object.depth, index.depth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    let value = try renderer.evaluate(object)
    let key = try renderer.evaluate(index)
    renderer.position = position
    return try renderer.item(key, of: value)
  }
}

/// `object[start:stop:step]`.
final class SliceExpression: Expression {
  struct Bounds: Sendable {
    var start: (any Expression)?
    var stop: (any Expression)?
    var step: (any Expression)?

    var depth: Int { [start, stop, step].compactMap { $0 }.maximumDepth }
  }

  let position: SourcePosition
  let object: any Expression
  let bounds: Bounds
  let depth: Int

  init(_ object: any Expression, _ bounds: Bounds, at position: SourcePosition) {
    self.object = object
    self.bounds = bounds
    self.position = position
    depth = 1 + max(object.depth, bounds.depth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    let value = try renderer.evaluate(object)
    let start = try bound(bounds.start, renderer)
    let stop = try bound(bounds.stop, renderer)
    let step = try bound(bounds.step, renderer)
    renderer.position = position
    return try renderer.slice(value, start, stop, step)
  }

  private func bound(
    _ expression: (any Expression)?, _ renderer: Renderer
  ) throws(TemplateError) -> Int? {
    guard let expression else { return nil }
    let value = try renderer.evaluate(expression)
    renderer.position = position
    if case .null = value { return nil }
    guard let number = value.integer else {
      throw renderer.failure("slice bounds must be whole numbers, not \(value.typeName)")
    }
    return number
  }
}

/// The arguments of a call as written.
struct ArgumentExpressions: Sendable {
  var positional: [any Expression] = []
  var keywords: [(name: String, value: any Expression)] = []
  /// `*list`
  var unpackedList: (any Expression)?
  /// `**mapping`
  var unpackedMapping: (any Expression)?

  var depth: Int {
    max(
      positional.maximumDepth, keywords.map(\.value).maximumDepth,
      [unpackedList, unpackedMapping].compactMap { $0 }.maximumDepth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> Arguments {
    var arguments = Arguments()
    arguments.positional.reserveCapacity(positional.count)
    for expression in positional {
      arguments.positional.append(try renderer.evaluate(expression))
    }
    if let unpackedList {
      let list = try renderer.evaluate(unpackedList)
      arguments.positional += try renderer.items(of: list)
    }
    for keyword in keywords {
      arguments.keywords.append((keyword.name, try renderer.evaluate(keyword.value)))
    }
    if let unpackedMapping {
      let value = try renderer.evaluate(unpackedMapping)
      guard case .mapping(let mapping) = value else {
        throw renderer.failure("only a mapping can follow ** in a call, not \(value.typeName)")
      }
      for (key, value) in zip(mapping.keys, mapping.values) {
        guard case .string(let name) = key else {
          throw renderer.failure("argument names must be strings")
        }
        arguments.keywords.append((name.text, value))
      }
    }
    return arguments
  }
}

/// `callee(arguments)`.
final class CallExpression: Expression {
  let position: SourcePosition
  let callee: any Expression
  let arguments: ArgumentExpressions
  let depth: Int

  init(_ callee: any Expression, _ arguments: ArgumentExpressions, at position: SourcePosition) {
    self.callee = callee
    self.arguments = arguments
    self.position = position
    depth = 1 + max(callee.depth, arguments.depth)
  }

  func evaluate(_ renderer: Renderer) throws(TemplateError) -> TemplateValue {
    try evaluate(renderer, caller: nil)
  }

  func evaluate(
    _ renderer: Renderer, caller: TemplateValue?
  ) throws(TemplateError) -> TemplateValue {
    // Methods of plain values are called without making an object for the bound method.
    if let access = callee as? AttributeExpression {
      let object = try renderer.evaluate(access.object)
      if access.name.isMethod(of: object) {
        let values = try callArguments(renderer, caller)
        return try renderer.callMethod(access.name, of: object, values)
      }
      renderer.position = access.position
      let function = try renderer.attribute(access.name, of: object)
      let values = try callArguments(renderer, caller)
      return try renderer.call(function, values)
    }
    let function = try renderer.evaluate(callee)
    let values = try callArguments(renderer, caller)
    return try renderer.call(function, values)
  }

  private func callArguments(
    _ renderer: Renderer, _ caller: TemplateValue?
  ) throws(TemplateError) -> Arguments {
    var values = try arguments.evaluate(renderer)
    if let caller { values.keywords.append(("caller", caller)) }
    renderer.position = position
    return values
  }
}
