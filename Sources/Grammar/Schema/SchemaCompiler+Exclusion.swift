import JSON

/// Whether the branches of a `oneOf` exclude each other. An answer is generated from one branch; it
/// satisfies the schema only if no other branch accepts it.
extension SchemaCompiler {
  /// How deep members are compared.
  private static let exclusionDepth = 4

  /// - Parameter rest: what holds beside the branches.
  /// - Throws: `unsupported` for two branches of which it cannot be shown.
  func checkExclusive(
    _ branches: [Located], beside rest: [Located], _ path: SchemaPath
  ) throws(GrammarError) {
    var merged: [MergedSchema?] = []
    for branch in branches { merged.append(try self.merged(rest + [branch])) }
    for second in merged.indices {
      for first in 0..<second {
        guard let a = merged[first], let b = merged[second] else { continue }
        guard try !exclude(a, b, depth: 0) else { continue }
        throw .unsupported(
          path: path.description, keyword: "oneOf",
          reason:
            "one value could fit branches \(first) and \(second) at once; give them different "
            + "types or a property with different constants, or use anyOf")
      }
    }
  }

  /// nil where nothing fits.
  private func merged(_ conjunction: [Located]) throws(GrammarError) -> MergedSchema? {
    guard let parts = try flattened(conjunction) else { return nil }
    return try MergedSchema(parts)
  }

  /// Whether it is certain that nothing generated from one is accepted by the other.
  private func exclude(
    _ a: MergedSchema, _ b: MergedSchema, depth: Int
  ) throws(GrammarError) -> Bool {
    if let values = a.literals, let others = b.literals {
      return Set(values.map(\.canonical)).isDisjoint(with: others.map(\.canonical))
    }
    let common = a.acceptedTypes.intersection(b.acceptedTypes)
    if common.isEmpty { return true }
    if !common.isDisjoint(with: [.null, .boolean]) { return false }
    if !common.isDisjoint(with: .number), !a.isBelow(b), !b.isBelow(a) { return false }
    if common.contains(.string), !a.isShorter(than: b), !b.isShorter(than: a) { return false }
    if common.contains(.array), !a.hasFewerItems(than: b), !b.hasFewerItems(than: a) {
      return false
    }
    if common.contains(.object) { return try objectsExclude(a, b, depth: depth) }
    return true
  }

  private func objectsExclude(
    _ a: MergedSchema, _ b: MergedSchema, depth: Int
  ) throws(GrammarError) -> Bool {
    // What is generated has declared members only, so it lacks what the other one requires.
    if b.required.contains(where: a.cannotHave), a.required.contains(where: b.cannotHave) {
      return true
    }
    guard depth < Self.exclusionDepth else { return false }
    for name in a.required where b.required.contains(where: name.isSame) {
      guard let mine = try merged(a.schemas(of: name)), let other = try merged(b.schemas(of: name))
      else { return true }
      if try exclude(mine, other, depth: depth + 1) { return true }
    }
    return false
  }
}

extension MergedSchema {
  /// The types of all values that satisfy it, those included that generation leaves out: a keyword
  /// of one type says nothing about the others.
  fileprivate var acceptedTypes: TypeSet {
    if let literals { return literals.reduce(into: []) { $0.formUnion(TypeSet(of: $1)) } }
    return isTyped ? types : .all
  }

  fileprivate func isBelow(_ other: MergedSchema) -> Bool {
    guard let upper, let lower = other.lower else { return false }
    if upper.value < lower.value { return true }
    return upper.value == lower.value && !(upper.isInclusive && lower.isInclusive)
  }

  fileprivate func isShorter(than other: MergedSchema) -> Bool {
    maximumLength.map { $0 < other.minimumLength } ?? false
  }

  fileprivate func hasFewerItems(than other: MergedSchema) -> Bool {
    maximumItems.map { $0 < other.minimumItems } ?? false
  }

  /// Whether no generated object has a member of this name.
  fileprivate func cannotHave(_ name: String) -> Bool {
    objects.contains { shape in
      let isClosed = shape.others.map { $0.schema == false } ?? shape.isListed
      return isClosed && !shape.named.contains { $0.name.isSame(name) }
    }
  }

  fileprivate func schemas(of name: String) -> [Located] {
    objects.flatMap { shape in shape.named.filter { $0.name.isSame(name) }.map(\.schema) }
  }
}
