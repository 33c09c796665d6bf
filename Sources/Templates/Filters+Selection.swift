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
    guard let name = arguments.positional.first else {
      return try mapAttribute(renderer, input, arguments)
    }
    let filterName = try renderer.requiredString(name, "name").text
    guard let filter = Filters.named(filterName) else {
      throw renderer.failure("there is no filter '\(filterName)'")
    }
    var rest = arguments
    rest.positional.removeFirst()
    return try renderer.makeLazy(over: input) { [rest] renderer throws(TemplateError) in
      var results: [TemplateValue] = []
      for item in try renderer.items(of: input) {
        try renderer.spend(1)
        results.append(try filter(renderer, item, rest))
      }
      return results
    }
  }

  private static func mapAttribute(
    _ renderer: Renderer, _ input: TemplateValue, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind("map", ["attribute", "default"], required: 1, renderer)
    let path = try renderer.path(bound[0])
    let fallback = bound[1]
    return try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
      var results: [TemplateValue] = []
      for item in try renderer.items(of: input) {
        try renderer.spend(1)
        results.append(try renderer.value(at: path, of: item, default: fallback))
      }
      return results
    }
  }

  private static func selection(_ name: String, byAttribute: Bool, keeps: Bool) -> Filter {
    { renderer, input, arguments throws(TemplateError) in
      var rest = arguments
      var path: [TemplateValue] = []
      if byAttribute {
        guard !rest.positional.isEmpty else {
          throw renderer.failure("'\(name)' needs the name of an attribute")
        }
        path = try renderer.path(rest.positional.removeFirst())
      }
      var test: ValueTest?
      if !rest.positional.isEmpty {
        let testName = try renderer.requiredString(rest.positional.removeFirst(), "name").text
        guard let found = Tests.named(testName) else {
          throw renderer.failure("there is no test '\(testName)'")
        }
        test = found
      }
      return try renderer.makeLazy(over: input) { [rest, path, test] renderer throws(TemplateError) in
        var kept: [TemplateValue] = []
        for item in try renderer.items(of: input) {
          try renderer.spend(1)
          let value = try renderer.value(at: path, of: item)
          let isMatch = if let test { try test(renderer, value, rest) } else { value.isTrue }
          if isMatch == keeps { kept.append(item) }
        }
        return kept
      }
    }
  }
}
