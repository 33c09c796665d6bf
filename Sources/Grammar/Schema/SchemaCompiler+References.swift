import JSON

extension SchemaCompiler {
  static let branchKeywords = ["anyOf", "oneOf"]
  private static let branchLimit = 500

  private enum Visit {
    case enter(Located)
    case emit(Located)
    case leave(SchemaPath)
  }

  /// The conjunction with all `$ref` and `allOf` followed, in the order of writing; nil where a part is
  /// the schema `false`.
  func flattened(_ conjunction: [Located]) throws(GrammarError) -> [Located]? {
    var parts: [Located] = []
    var seen: Set<Identity> = []
    var open: Set<SchemaPath> = []
    var pending = conjunction.reversed().map { Visit.enter($0) }
    while let visit = pending.popLast() {
      switch visit {
      case .emit(var located):
        located.isFollowed = true
        parts.append(located)
      case .leave(let path): open.remove(path)
      case .enter(let located):
        try checkIsSchema(located.schema, located.path)
        guard let object = located.schema.objectValue else {
          if located.schema == false { return nil }
          continue
        }
        if open.contains(located.path), !located.isFollowed {
          throw .unresolvedReference(
            path: located.path.description, reference: object["$ref"]?.stringValue ?? "allOf")
        }
        guard seen.insert(located.identity).inserted else { continue }
        var visits: [Visit] = []
        if !located.isFollowed {
          open.insert(located.path)
          visits += try applied(object, located.path).map { .enter($0) }
          visits.append(.leave(located.path))
        }
        let emit = Visit.emit(located)
        if Self.constrains(object) {
          let first = object.keys.first { ["$ref", "allOf", "properties"].contains($0) }
          if first == "properties" { visits.insert(emit, at: 0) } else { visits.append(emit) }
        }
        pending += visits.reversed()
      }
    }
    return parts
  }

  /// The schemas that a `$ref` and an `allOf` add.
  private func applied(
    _ object: JSONObject, _ path: SchemaPath
  ) throws(GrammarError) -> [Located] {
    var result: [Located] = []
    for (keyword, value) in object.members {
      switch keyword {
      case "$ref":
        guard let reference = value.stringValue else {
          throw .malformed(
            path: path.description, keyword: "$ref", reason: "it must be a string")
        }
        result.append(try resolved(reference, path))
      case "allOf": result += try schemas(value, path, keyword)
      case "$dynamicRef", "$recursiveRef":
        throw .unsupported(
          path: path.description, keyword: keyword, reason: "only '$ref' can be followed")
      default: continue
      }
    }
    return result
  }

  private func resolved(_ reference: String, _ path: SchemaPath) throws(GrammarError) -> Located {
    let failure = GrammarError.unresolvedReference(
      path: path.description, reference: reference)
    guard reference.hasPrefix("#"), let target = SchemaPath(pointer: reference.dropFirst()) else {
      throw failure
    }
    var schema = root.schema
    for part in target.parts {
      guard let child = schema[part] ?? Int(part).flatMap({ schema[$0] }) else {
        throw failure
      }
      schema = child
    }
    return Located(schema: schema, path: root.path.appending(target))
  }

  /// The schemas of a keyword that holds a list of them.
  private func schemas(
    _ value: JSONValue, _ path: SchemaPath, _ keyword: String
  ) throws(GrammarError) -> [Located] {
    guard let list = value.arrayValue, !list.isEmpty else {
      throw .malformed(
        path: path.description, keyword: keyword, reason: "it must be a list of schemas")
    }
    return list.enumerated().map {
      Located(schema: $0.element, path: path.appending(keyword).appending($0.offset))
    }
  }

  /// The branches of an `anyOf` or `oneOf`.
  func branches(of located: Located, _ keyword: String) throws(GrammarError) -> [Located] {
    let branches = try schemas(located.schema[keyword] ?? [], located.path, keyword)
    guard branches.count <= Self.branchLimit else {
      throw .tooLarge(
        path: located.path.description, reason: "it has more than \(Self.branchLimit) branches")
    }
    return branches
  }

  /// Whether a schema says anything beside what it refers to.
  private static func constrains(_ object: JSONObject) -> Bool {
    object.keys.contains {
      $0 != "$ref" && $0 != "allOf" && !SchemaKeywords.annotations.contains($0)
    }
  }
}

extension JSONValue {
  /// `1.0` is the same value as `1`.
  var canonical: JSONValue {
    if case .double(let value) = self, let whole = Int(exactly: value) { .int(whole) } else { self }
  }

  var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int, .double: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
