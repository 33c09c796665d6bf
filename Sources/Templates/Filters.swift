/// A filter: what `input | name(arguments)` computes.
typealias Filter =
  @Sendable (Renderer, TemplateValue, Arguments) throws(TemplateError) -> TemplateValue

/// The filters by name.
enum Filters {
  static func named(_ name: String) -> Filter? { table[name] }

  private static let table: [String: Filter] =
    stringFilters
    .merging(numberFilters) { first, _ in first }
    .merging(sequenceFilters) { first, _ in first }
    .merging(selectionFilters) { first, _ in first }
    .merging(valueFilters) { first, _ in first }

  /// Filters on values of any kind.
  private static let valueFilters: [String: Filter] = [
    "default": fallback,
    "d": fallback,
    "attr": attribute,
    "string": string,
    "tojson": json,
    "items": items,
  ]

  private static let fallback: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("default", ["default_value", "boolean"], renderer)
    let isMissing = input.isUndefined || (bound[1]?.isTrue == true && !input.isTrue)
    return isMissing ? bound[0] ?? .string(.empty) : input
  }

  private static let attribute: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("attr", ["name"], required: 1, renderer)
    let name = AttributeName(try renderer.text(of: bound[0] ?? .null).text)
    // Only attributes and methods, never the items of a mapping.
    if case .mapping = input, !name.isMethod(of: input) {
      return .undefined(Undefined(key: name.name, owner: input.typeName))
    }
    return try renderer.attribute(name, of: input)
  }

  private static let string: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("string", [], renderer)
    if case .string = input { return input }
    return .string(try renderer.text(of: input))
  }

  private static let json: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind(
      "tojson", ["ensure_ascii", "indent", "separators", "sort_keys"], renderer)
    var writer = JSONTextWriter()
    writer.isASCIIOnly = bound[0]?.isTrue ?? false
    writer.sortsKeys = bound[3]?.isTrue ?? false
    switch bound[1] ?? .null {
    case .null: break
    case .string(let text):
      writer.indentation = text.text
    case let value:
      let width = max(0, try renderer.integer(value, "indent"))
      try renderer.reserveString(width)
      writer.indentation = String(repeating: " ", count: width)
    }
    if writer.indentation != nil { writer.itemSeparator = "," }
    if let separators = bound[2], separators.isTrue {
      let parts = try renderer.items(of: separators)
      guard parts.count == 2 else { throw renderer.failure("'separators' must be two strings") }
      writer.itemSeparator = try renderer.requiredString(parts[0], "separators").text
      writer.keySeparator = try renderer.requiredString(parts[1], "separators").text
    }
    try writer.write(input, renderer)
    return .string(try renderer.makeString(writer.text, containsData: writer.containsData))
  }

  private static let items: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("items", [], renderer)
    return try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
      switch input {
      case .undefined: return []
      case .mapping(let mapping): return try MappingView(mapping, .items).items(renderer)
      default: throw renderer.failure("'items' needs a mapping, not \(input.typeName)")
      }
    }
  }
}
