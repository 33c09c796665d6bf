extension Filters {
  /// Filters that apply a test or another filter to each item.
  static let selectionFilters: [String: Filter] = [
    "map": map,
    "select": selection("select", byAttribute: false, keeps: true),
    "reject": selection("reject", byAttribute: false, keeps: false),
    "selectattr": selection("selectattr", byAttribute: true, keeps: true),
    "rejectattr": selection("rejectattr", byAttribute: true, keeps: false),
  ]

  private static let map: Filter = { renderer, input, arguments throws(TemplateError) in
    try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
      // What is false counts as empty, even where it cannot be iterated over.
      guard input.isTrue else { return [] }
      let transform = try transform(renderer, arguments)
      var results: [TemplateValue] = []
      for item in try renderer.items(of: input) {
        try renderer.spend(1)
        results.append(try transform(item))
      }
      return results
    }
  }

  private typealias Transform = (TemplateValue) throws(TemplateError) -> TemplateValue

  /// Reads an attribute where one is named, else applies a filter.
  private static func transform(
    _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> Transform {
    guard let name = arguments.positional.first else {
      let bound = try arguments.bind("map", ["attribute", "default"], required: 1, renderer)
      let path = try renderer.path(bound[0])
      return { item throws(TemplateError) in
        try renderer.value(at: path, of: item, default: bound[1])
      }
    }
    let filterName = try renderer.requiredString(name, "name").text
    guard let filter = Filters.named(filterName) else {
      throw renderer.failure("there is no filter '\(filterName)'")
    }
    var rest = arguments
    rest.positional.removeFirst()
    return { [rest] item throws(TemplateError) in try filter(renderer, item, rest) }
  }

  private static func selection(_ name: String, byAttribute: Bool, keeps: Bool) -> Filter {
    { renderer, input, arguments throws(TemplateError) in
      try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
        guard input.isTrue else { return [] }
        let isMatch = try predicate(name, byAttribute: byAttribute, renderer, arguments)
        var kept: [TemplateValue] = []
        for item in try renderer.items(of: input) {
          try renderer.spend(1)
          if try isMatch(item) == keeps { kept.append(item) }
        }
        return kept
      }
    }
  }

  private typealias Predicate = (TemplateValue) throws(TemplateError) -> Bool

  /// Applies a test where one is named, else asks whether the value is true.
  private static func predicate(
    _ name: String, byAttribute: Bool, _ renderer: Renderer, _ arguments: Arguments
  ) throws(TemplateError) -> Predicate {
    var rest = arguments
    var path: [TemplateValue] = []
    if byAttribute {
      guard !rest.positional.isEmpty else {
        throw renderer.failure("'\(name)' needs the name of an attribute")
      }
      path = try renderer.path(rest.positional.removeFirst())
    }
    guard !rest.positional.isEmpty else {
      return { [path] item throws(TemplateError) in try renderer.value(at: path, of: item).isTrue }
    }
    let testName = try renderer.requiredString(rest.positional.removeFirst(), "name").text
    guard let test = Tests.named(testName) else {
      throw renderer.failure("there is no test '\(testName)'")
    }
    return { [path, rest] item throws(TemplateError) in
      try test(renderer, try renderer.value(at: path, of: item), rest)
    }
  }
}
