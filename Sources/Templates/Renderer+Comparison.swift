enum Comparison: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case `in` = "in"
  case notIn = "not in"
}

/// Comparisons, by Python's rules.
extension Renderer {
  func compare(
    _ comparison: Comparison, _ left: TemplateValue, _ right: TemplateValue
  ) throws(TemplateError) -> Bool {
    switch comparison {
    case .equal: return try areEqual(left, right)
    case .notEqual: return try !areEqual(left, right)
    case .in: return try contains(right, left)
    case .notIn: return try !contains(right, left)
    case .less: return try isLess(left, right, comparison)
    case .greater: return try isLess(right, left, comparison)
    case .lessOrEqual: return try isLessOrEqual(left, right, comparison)
    case .greaterOrEqual: return try isLessOrEqual(right, left, comparison)
    }
  }

  func areEqual(_ left: TemplateValue, _ right: TemplateValue) throws(TemplateError) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)):
      guard left.bytes.count == right.bytes.count else { return false }
      try spend(bytes: left.bytes.count)
      return left == right
    case (.undefined, .undefined), (.null, .null): return true
    case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
      return try areEqual(left.items, right.items)
    case (.mapping(let left), .mapping(let right)):
      guard left.count == right.count else { return false }
      for (key, value) in zip(left.keys, left.values) {
        try spend(key.weight)
        guard let other = right.value(of: key), try areEqual(value, other) else { return false }
      }
      return true
    case (.range(let left), .range(let right)):
      return left.count == right.count
        && (left.count == 0 || left.start == right.start)
        && (left.count <= 1 || left.step == right.step)
    case (.object(let left), .object(let right)): return left === right
    default:
      if let left = left.integer, let right = right.integer { return left == right }
      if let left = left.number, let right = right.number { return left == right }
      return false
    }
  }

  func areEqual(_ left: [TemplateValue], _ right: [TemplateValue]) throws(TemplateError) -> Bool {
    guard left.count == right.count else { return false }
    for (first, second) in zip(left, right) {
      try spend(1)
      guard try areEqual(first, second) else { return false }
    }
    return true
  }

  private func isLessOrEqual(
    _ left: TemplateValue, _ right: TemplateValue, _ comparison: Comparison
  ) throws(TemplateError) -> Bool {
    // Not the opposite of "greater": comparisons with NaN all fail.
    if let left = left.number, let right = right.number { return left <= right }
    return try !isLess(right, left, comparison)
  }

  func isLess(
    _ left: TemplateValue, _ right: TemplateValue, _ comparison: Comparison = .less
  ) throws(TemplateError) -> Bool {
    switch (left, right) {
    case (.undefined(let undefined), _), (_, .undefined(let undefined)):
      throw failure(undefined.message)
    case (.string(let left), .string(let right)):
      try spend(bytes: min(left.bytes.count, right.bytes.count))
      return left.isLess(than: right)
    case (.list(let left), .list(let right)), (.tuple(let left), .tuple(let right)):
      for (first, second) in zip(left.items, right.items) {
        try spend(1)
        if try !areEqual(first, second) { return try isLess(first, second, comparison) }
      }
      return left.items.count < right.items.count
    default:
      if let left = left.integer, let right = right.integer { return left < right }
      if let left = left.number, let right = right.number { return left < right }
      throw failure(
        "'\(comparison.rawValue)' does not work on \(left.typeName) and \(right.typeName)")
    }
  }

  func contains(
    _ container: TemplateValue, _ value: TemplateValue
  ) throws(TemplateError) -> Bool {
    switch container {
    case .string(let string):
      guard case .string(let part) = value else {
        if case .undefined(let undefined) = value { throw failure(undefined.message) }
        throw failure("only strings can be searched for in a string, not \(value.typeName)")
      }
      try spend(bytes: string.bytes.count * 4)
      return string.bytes.firstRange(of: part.bytes, in: 0..<string.bytes.count) != nil
    case .mapping(let mapping):
      try spend(value.weight)
      guard MappingKey(value) != nil else {
        throw failure("\(value.typeName) cannot be the key of a mapping")
      }
      return mapping.value(of: value) != nil
    case .range(let range):
      guard let number = value.number, let integer = Int(exactly: number) else { return false }
      return range.contains(integer)
    default:
      let items = try items(of: container)
      for item in items {
        try spend(1)
        if try areEqual(item, value) { return true }
      }
      return false
    }
  }
}
