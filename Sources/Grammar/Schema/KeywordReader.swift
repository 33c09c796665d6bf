import JSON

/// Reads the keywords of one schema; values of a wrong kind are errors.
struct KeywordReader {
  let object: JSONObject
  let path: SchemaPath

  func malformed(_ keyword: String, _ reason: String) -> GrammarError {
    .malformed(path: path.description, keyword: keyword, reason: reason)
  }

  /// Throws for the first keyword that constrains in a way that cannot be kept.
  func refuseUnsupported() throws(GrammarError) {
    for (keyword, value) in object.members
    where SchemaKeywords.unsupported.contains(keyword) && !Self.saysNothing(keyword, value) {
      throw .unsupported(
        path: path.description, keyword: keyword, reason: "no grammar can guarantee it")
    }
  }

  private static func saysNothing(_ keyword: String, _ value: JSONValue) -> Bool {
    switch keyword {
    case "uniqueItems", "not": value == false
    case "minProperties": value.intValue == 0
    case "patternProperties", "dependencies", "dependentRequired", "dependentSchemas":
      value.objectValue?.isEmpty == true
    case "additionalItems", "unevaluatedItems", "propertyNames": value == true || value == [:]
    // Members beyond the declared ones never come without `additionalProperties`.
    case "unevaluatedProperties": value == true || value == false || value == [:]
    default: false
    }
  }

  func types() throws(GrammarError) -> TypeSet? {
    guard let value = object["type"] else { return nil }
    var result: TypeSet = []
    for name in value.arrayValue ?? [value] {
      guard let type = name.stringValue.flatMap(TypeSet.init(name:)) else {
        throw malformed("type", "\(name.text(style: .compact)) is no type")
      }
      result.formUnion(type)
    }
    guard !result.isEmpty else { throw malformed("type", "it lists no type") }
    return result
  }

  func list(_ keyword: String) throws(GrammarError) -> [JSONValue]? {
    guard let value = object[keyword] else { return nil }
    guard let list = value.arrayValue, !list.isEmpty else {
      throw malformed(keyword, "it must be a list with at least one value")
    }
    return list
  }

  func string(_ keyword: String) throws(GrammarError) -> String? {
    guard let value = object[keyword] else { return nil }
    guard let string = value.stringValue else {
      throw malformed(keyword, "it must be a string, not \(value.kindName)")
    }
    return string
  }

  func number(_ keyword: String) throws(GrammarError) -> DecimalNumber? {
    guard let value = object[keyword] else { return nil }
    guard let number = DecimalNumber(value) else {
      throw malformed(keyword, "it must be a number, not \(value.kindName)")
    }
    return number
  }

  /// A number of scalars or items.
  func count(_ keyword: String) throws(GrammarError) -> Int? {
    guard let value = object[keyword] else { return nil }
    guard let count = value.intValue, count >= 0 else {
      throw malformed(
        keyword,
        "it must be a whole number from 0 up to \(LengthLimits.countLimit), "
          + "not \(value.text(style: .compact).prefix(40))")
    }
    if count > LengthLimits.countLimit {
      // No text ever gets there.
      if keyword.hasPrefix("max") { return nil }
      throw malformed(keyword, "it must not be above \(LengthLimits.countLimit)")
    }
    return count
  }

  func schema(_ keyword: String) throws(GrammarError) -> SchemaCompiler.Located? {
    guard let value = object[keyword] else { return nil }
    let located = SchemaCompiler.Located(schema: value, path: path.appending(keyword))
    return try checked(located, keyword)
  }

  func schemas(_ keyword: String) throws(GrammarError) -> [SchemaCompiler.Located]? {
    guard let value = object[keyword] else { return nil }
    guard let list = value.arrayValue else {
      throw malformed(keyword, "it must be a list of schemas, not \(value.kindName)")
    }
    var result: [SchemaCompiler.Located] = []
    for (index, schema) in list.enumerated() {
      let path = path.appending(keyword).appending(index)
      result.append(try checked(.init(schema: schema, path: path), keyword))
    }
    return result
  }

  func namedSchemas(
    _ keyword: String
  ) throws(GrammarError) -> [(name: String, schema: SchemaCompiler.Located)]? {
    guard let value = object[keyword] else { return nil }
    guard let members = value.objectValue?.members else {
      throw malformed(keyword, "it must be an object, not \(value.kindName)")
    }
    var result: [(name: String, schema: SchemaCompiler.Located)] = []
    for (name, schema) in members {
      let path = path.appending(keyword, name)
      result.append((name, try checked(.init(schema: schema, path: path), keyword)))
    }
    return result
  }

  func names(_ keyword: String) throws(GrammarError) -> [String]? {
    guard let value = object[keyword] else { return nil }
    let names = value.arrayValue?.compactMap(\.stringValue)
    guard let names, names.count == value.arrayValue?.count else {
      throw malformed(keyword, "it must be a list of names")
    }
    return names
  }

  private func checked(
    _ located: SchemaCompiler.Located, _ keyword: String
  ) throws(GrammarError) -> SchemaCompiler.Located {
    switch located.schema {
    case .object, .bool: return located
    default:
      throw .malformed(
        path: located.path.description, keyword: keyword,
        reason: "a schema is an object or a boolean, not \(located.schema.kindName)")
    }
  }
}
