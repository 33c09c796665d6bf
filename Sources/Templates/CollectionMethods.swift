/// The methods of lists and tuples. Those that would change a list are not among them: templates
/// run in an immutable sandbox.
enum ListMethod: String, Sendable {
  case count, index, copy
}

/// The methods of mappings.
enum MappingMethod: String, Sendable {
  case get, items, keys, values, copy
}

extension Renderer {
  func call(
    _ method: ListMethod, of list: ListValue, _ value: TemplateValue, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    switch method {
    case .copy:
      _ = try arguments.bind("copy", [], self)
      return value
    case .count:
      let bound = try arguments.bind("count", ["value"], required: 1, self)
      var count = 0
      for item in list.items {
        try spend(1)
        if try areEqual(item, bound[0] ?? .null) { count += 1 }
      }
      return .int(count)
    case .index:
      let bound = try arguments.bind("index", ["value", "start", "stop"], required: 1, self)
      let start = try integer(bound[1], "start", default: 0)
      let stop = try integer(bound[2], "stop", default: .max)
      let range = SliceIndices(count: list.items.count, start, stop, 1)
      for index in range.start..<range.start + range.count {
        try spend(1)
        if try areEqual(list.items[index], bound[0] ?? .null) { return .int(index) }
      }
      throw failure("the value is not in the list")
    }
  }

  func call(
    _ method: MappingMethod, of mapping: MappingValue, _ arguments: Arguments
  ) throws(TemplateError) -> TemplateValue {
    switch method {
    case .get:
      guard arguments.keywords.isEmpty else { throw failure("get takes no named arguments") }
      let bound = try arguments.bind("get", ["key", "default"], required: 1, self)
      let key = bound[0] ?? .null
      try spend(key.weight / 2)
      if let value = mapping.value(of: key) { return value }
      guard MappingKey(key) != nil else {
        throw failure("\(key.typeName) cannot be the key of a mapping")
      }
      return bound[1] ?? .null
    case .items, .keys, .values:
      _ = try arguments.bind(method.rawValue, [], self)
      let kind = MappingView.Kind(rawValue: method.rawValue) ?? .items
      return .object(MappingView(mapping, kind))
    case .copy:
      _ = try arguments.bind("copy", [], self)
      return .mapping(mapping)
    }
  }
}
