extension Filters {
  /// Filters on whole sequences.
  static let sequenceFilters: [String: Filter] = [
    "length": length,
    "count": length,
    "first": first,
    "last": last,
    "list": list,
    "join": join,
    "reverse": reverse,
    "sort": sort,
    "dictsort": sortMapping,
    "unique": unique,
    "sum": sum,
    "min": { renderer, input, arguments throws(TemplateError) in
      try extreme(renderer, input, arguments, "min") { new, best throws(TemplateError) in
        try renderer.isLess(new, best)
      }
    },
    "max": { renderer, input, arguments throws(TemplateError) in
      try extreme(renderer, input, arguments, "max") { new, best throws(TemplateError) in
        try renderer.isLess(best, new, .greater)
      }
    },
    "batch": batch,
    "slice": slices,
    "groupby": group,
  ]

  private static let length: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("length", [], renderer)
    if case .undefined = input { return .int(0) }
    guard let count = input.count else {
      throw renderer.failure("\(input.typeName) has no length")
    }
    return .int(count)
  }

  private static let first: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("first", [], renderer)
    if case .string(let text) = input, !text.isEmpty {
      return try renderer.item(.int(0), of: input)
    }
    return try renderer.items(of: input).first ?? noItem
  }

  private static let last: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("last", [], renderer)
    if case .string(let text) = input, !text.isEmpty {
      return try renderer.item(.int(-1), of: input)
    }
    if case .object(let object) = input, object is LazySequence {
      throw renderer.failure("\(input.typeName) cannot be read from its end")
    }
    return try renderer.items(of: input).last ?? noItem
  }

  private static var noItem: TemplateValue { .undefined(Undefined(key: "an item of no items")) }

  private static let list: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("list", [], renderer)
    return .list(try renderer.makeList(try renderer.items(of: input)))
  }

  private static let join: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("join", ["d", "attribute"], renderer)
    let separator =
      try bound[0].map { value throws(TemplateError) in
        try renderer.text(of: value)
      } ?? .empty
    let path = try renderer.path(bound[1])
    var buffer = TextBuffer()
    for (index, item) in try renderer.items(of: input).enumerated() {
      try renderer.spend(1)
      if index > 0 { try renderer.append(separator, to: &buffer) }
      let value = try renderer.value(at: path, of: item)
      try renderer.append(try renderer.text(of: value), to: &buffer)
    }
    return .string(try renderer.makeString(buffer))
  }

  private static let reverse: Filter = { renderer, input, arguments throws(TemplateError) in
    _ = try arguments.bind("reverse", [], renderer)
    if case .string = input { return try renderer.slice(input, nil, nil, -1) }
    let items = try renderer.items(of: input)
    return try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
      try renderer.spend(items.count / 4)
      return items.reversed()
    }
  }

  private static let sort: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("sort", ["reverse", "case_sensitive", "attribute"], renderer)
    let items = try renderer.items(of: input)
    let isSensitive = bound[1]?.isTrue ?? false
    var paths = [try renderer.path(bound[2])]
    if case .string(let names) = bound[2] ?? .null {
      paths = []
      for name in names.text.split(separator: ",", omittingEmptySubsequences: false) {
        paths.append(try renderer.path(.string(String(name))))
      }
    }
    var keys: [[TemplateValue]] = []
    for item in items {
      var key: [TemplateValue] = []
      for path in paths {
        let value = try renderer.value(at: path, of: item)
        key.append(isSensitive ? value : try renderer.foldedCase(value))
      }
      keys.append(key)
    }
    let order = try renderer.order(of: keys, isReversed: bound[0]?.isTrue ?? false)
    return .list(try renderer.makeList(order.map { items[$0] }))
  }

  private static let sortMapping: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("dictsort", ["case_sensitive", "by", "reverse"], renderer)
    guard case .mapping(let mapping) = input else {
      throw renderer.failure("'dictsort' needs a mapping, not \(input.typeName)")
    }
    let isSensitive = bound[0]?.isTrue ?? false
    let by =
      try bound[1].map { value throws(TemplateError) in
        try renderer.requiredString(value, "by").text
      } ?? "key"
    guard by == "key" || by == "value" else {
      throw renderer.failure("'by' must be key or value")
    }
    var keys: [[TemplateValue]] = []
    for value in by == "key" ? mapping.keys : mapping.values {
      keys.append([isSensitive ? value : try renderer.foldedCase(value)])
    }
    let order = try renderer.order(of: keys, isReversed: bound[2]?.isTrue ?? false)
    let pairs = try MappingView(mapping, .items).items(renderer)
    return .list(try renderer.makeList(order.map { pairs[$0] }))
  }

  private static let unique: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("unique", ["case_sensitive", "attribute"], renderer)
    let isSensitive = bound[0]?.isTrue ?? false
    let path = try renderer.path(bound[1])
    return try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
      var seen: Set<MappingKey> = []
      var kept: [TemplateValue] = []
      for item in try renderer.items(of: input) {
        let value = try renderer.value(at: path, of: item)
        try renderer.spend(value.weight)
        guard let key = MappingKey(isSensitive ? value : try renderer.foldedCase(value)) else {
          throw renderer.failure("'unique' does not work on \(value.typeName)")
        }
        if seen.insert(key).inserted { kept.append(item) }
      }
      return kept
    }
  }

  private static let sum: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("sum", ["attribute", "start"], renderer)
    let path = try renderer.path(bound[0])
    var total = bound[1] ?? .int(0)
    if case .string = total { throw renderer.failure("strings cannot be summed up") }
    for item in try renderer.items(of: input) {
      try renderer.spend(1)
      total = try renderer.apply(.add, total, try renderer.value(at: path, of: item))
    }
    return total
  }

  private static func extreme(
    _ renderer: Renderer, _ input: TemplateValue, _ arguments: Arguments, _ name: String,
    isBetter: (TemplateValue, TemplateValue) throws(TemplateError) -> Bool
  ) throws(TemplateError) -> TemplateValue {
    let bound = try arguments.bind(name, ["case_sensitive", "attribute"], renderer)
    let isSensitive = bound[0]?.isTrue ?? false
    let path = try renderer.path(bound[1])
    var best: (item: TemplateValue, key: TemplateValue)?
    for item in try renderer.items(of: input) {
      try renderer.spend(1)
      let value = try renderer.value(at: path, of: item)
      let key = isSensitive ? value : try renderer.foldedCase(value)
      if let current = best, try !isBetter(key, current.key) { continue }
      best = (item, key)
    }
    return best?.item ?? noItem
  }

  // MARK: Cutting into parts

  private static let batch: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("batch", ["linecount", "fill_with"], required: 1, renderer)
    let size = try renderer.integer(bound[0], "linecount")
    return try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
      let items = try renderer.items(of: input)
      var rows: [TemplateValue] = []
      // A size of zero ends a first, empty row; none below one is ever reached again.
      if size == 0, !items.isEmpty { rows.append(.list(try renderer.makeList([]))) }
      let size = size < 1 ? max(items.count, 1) : size
      var start = 0
      while start < items.count {
        let end = start + min(size, items.count - start)
        var row = Array(items[start..<end])
        if let filler = bound[1], !filler.isNull, row.count < size {
          guard size <= renderer.maximumItems else {
            throw renderer.limitReached("a row of \(size) items is too long")
          }
          row += Array(repeating: filler, count: size - row.count)
        }
        rows.append(.list(try renderer.makeList(row)))
        start = end
      }
      return rows
    }
  }

  private static let slices: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind("slice", ["slices", "fill_with"], required: 1, renderer)
    let count = try renderer.integer(bound[0], "slices")
    guard count > 0 else { throw renderer.failure("'slices' must be at least 1") }
    guard count <= renderer.maximumItems else {
      throw renderer.limitReached("\(count) slices are too many")
    }
    return try renderer.makeLazy(over: input) { renderer throws(TemplateError) in
      let items = try renderer.items(of: input)
      let (size, longer) = (items.count / count, items.count % count)
      var columns: [TemplateValue] = []
      var start = 0
      for index in 0..<count {
        let end = start + size + (index < longer ? 1 : 0)
        var column = Array(items[start..<end])
        if let filler = bound[1], !filler.isNull, longer > 0, index >= longer {
          column.append(filler)
        }
        columns.append(.list(try renderer.makeList(column)))
        start = end
      }
      return columns
    }
  }

  private static let group: Filter = { renderer, input, arguments throws(TemplateError) in
    let bound = try arguments.bind(
      "groupby", ["attribute", "default", "case_sensitive"], required: 1, renderer)
    let path = try renderer.path(bound[0])
    let isSensitive = bound[2]?.isTrue ?? false
    let items = try renderer.items(of: input)
    var values: [TemplateValue] = []
    var keys: [[TemplateValue]] = []
    for item in items {
      let value = try renderer.value(at: path, of: item, default: bound[1])
      values.append(value)
      keys.append([isSensitive ? value : try renderer.foldedCase(value)])
    }
    var groups: [TemplateValue] = []
    var members: [TemplateValue] = []
    let order = try renderer.order(of: keys, isReversed: false)
    for (position, index) in order.enumerated() {
      members.append(items[index])
      if position + 1 < order.count,
        try renderer.areEqual(keys[index], keys[order[position + 1]])
      {
        continue
      }
      let first = order[position + 1 - members.count]
      let list = TemplateValue.list(try renderer.makeList(members))
      groups.append(
        .tuple(try renderer.makeList([values[first], list], names: ["grouper", "list"])))
      members = []
    }
    return .list(try renderer.makeList(groups))
  }
}

extension TemplateValue {
  /// The number of items or characters; nil where the value has no length.
  var count: Int? {
    switch self {
    case .string(let string): string.scalarCount
    case .list(let list), .tuple(let list): list.items.count
    case .mapping(let mapping): mapping.count
    case .range(let range): range.count
    case .object(let object): object.length
    case .undefined, .null, .bool, .int, .double: nil
    }
  }
}

extension Renderer {
  /// The order of indices that sorts keys; reversing keeps the order of equal ones.
  func order(
    of keys: [[TemplateValue]], isReversed: Bool
  ) throws(TemplateError) -> [Int] {
    try sorted(Array(keys.indices)) { left, right throws(TemplateError) in
      let (first, second) = isReversed ? (keys[right], keys[left]) : (keys[left], keys[right])
      for (one, other) in zip(first, second) {
        if try !areEqual(one, other) { return try isLess(one, other) }
      }
      return false
    }
  }
}
