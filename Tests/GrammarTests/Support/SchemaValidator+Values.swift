import JSON

extension SchemaValidator {
  func checkObject(
    _ object: JSONObject, _ schema: JSONObject, _ path: String, _ depth: Int
  ) throws(Fault) {
    for name in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
    where object[name] == nil {
      throw Fault(description: "\(path): '\(name)' is missing")
    }
    if let least = schema["minProperties"]?.intValue, object.count < least {
      throw fault("minProperties", .object(object), path)
    }
    if let most = schema["maxProperties"]?.intValue, object.count > most {
      throw fault("maxProperties", .object(object), path)
    }
    let declared = schema["properties"]?.objectValue ?? [:]
    let patterns = schema["patternProperties"]?.objectValue ?? [:]
    for (name, value) in object.members {
      let place = "\(path).\(name)"
      var isDeclared = false
      if let property = declared[name] {
        isDeclared = true
        try check(value, against: property, at: place, depth: depth + 1)
      }
      for (pattern, property) in patterns.members where matches(name, pattern) {
        isDeclared = true
        try check(value, against: property, at: place, depth: depth + 1)
      }
      if let names = schema["propertyNames"] {
        try check(.string(name), against: names, at: place, depth: depth + 1)
      }
      if !isDeclared, let others = schema["additionalProperties"] {
        try check(value, against: others, at: place, depth: depth + 1)
      }
    }
  }

  func checkArray(
    _ elements: [JSONValue], _ schema: JSONObject, _ path: String, _ depth: Int
  ) throws(Fault) {
    if let least = schema["minItems"]?.intValue, elements.count < least {
      throw fault("minItems", .array(elements), path)
    }
    if let most = schema["maxItems"]?.intValue, elements.count > most {
      throw fault("maxItems", .array(elements), path)
    }
    let first = schema["prefixItems"]?.arrayValue ?? []
    for (index, element) in elements.enumerated() {
      guard let item = index < first.count ? first[index] : schema["items"] else { continue }
      try check(element, against: item, at: "\(path)[\(index)]", depth: depth + 1)
    }
    if schema["uniqueItems"] == true {
      for (index, element) in elements.enumerated()
      where elements[..<index].contains(where: { Self.areEqual($0, element) }) {
        throw fault("uniqueItems", .array(elements), path)
      }
    }
    if let wanted = schema["contains"] {
      let count = elements.count {
        (try? check($0, against: wanted, at: path, depth: depth + 1)) != nil
      }
      if count < schema["minContains"]?.intValue ?? 1 {
        throw fault("contains", .array(elements), path)
      }
    }
  }

  /// Lengths count Unicode scalars.
  func checkString(_ text: String, _ schema: JSONObject, _ path: String) throws(Fault) {
    let length = text.unicodeScalars.count
    if let least = schema["minLength"]?.intValue, length < least {
      throw fault("minLength", .string(text), path)
    }
    if let most = schema["maxLength"]?.intValue, length > most {
      throw fault("maxLength", .string(text), path)
    }
    if let pattern = schema["pattern"]?.stringValue, !matches(text, pattern) {
      throw fault("pattern", .string(text), path)
    }
    // Formats that the specification does not define are notes.
    if let format = schema["format"]?.stringValue.flatMap(TextFormat.init), !format.admits(text) {
      throw fault("format", .string(text), path)
    }
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    (try? PatternMatcher(pattern))?.matches(text) ?? false
  }

  func checkNumber(
    _ value: JSONValue, _ schema: JSONObject, _ path: String
  ) throws(Fault) {
    let limits: [(String, (JSONValue, JSONValue) -> Bool)] = [
      ("minimum", { !Self.isLess($0, $1) }), ("maximum", { !Self.isLess($1, $0) }),
      ("exclusiveMinimum", { Self.isLess($1, $0) }), ("exclusiveMaximum", { Self.isLess($0, $1) }),
    ]
    for (keyword, isKept) in limits {
      if let limit = schema[keyword], !isKept(value, limit) { throw fault(keyword, value, path) }
    }
    guard let step = schema["multipleOf"] else { return }
    let isMultiple: Bool
    if let number = value.intValue, let step = step.intValue {
      isMultiple = number % step == 0
    } else {
      let quotient = (value.doubleValue ?? 0) / (step.doubleValue ?? 1)
      isMultiple = quotient.rounded() == quotient
    }
    if !isMultiple { throw fault("multipleOf", value, path) }
  }

  private static func isLess(_ lhs: JSONValue, _ rhs: JSONValue) -> Bool {
    if case .int(let a) = lhs, case .int(let b) = rhs { return a < b }
    return (lhs.doubleValue ?? .nan) < (rhs.doubleValue ?? .nan)
  }
}
