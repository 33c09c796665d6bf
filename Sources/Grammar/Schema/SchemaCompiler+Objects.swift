import JSON

extension SchemaCompiler {
  private static let memberLimit = 1_000

  mutating func compileObject(_ schema: MergedSchema, depth: Int) throws(GrammarError) -> Int {
    guard let members = try compileMembers(schema, key: Self.keyed, depth: depth) else {
      return rules.nothing()
    }
    return bracketed("{", members.isEmpty ? nil : rules.add(.members(members)), "}")
  }

  /// The members of an object, each of them made of its name and its value by `key`; nil where a
  /// required one cannot be.
  mutating func compileMembers(
    _ schema: MergedSchema, key: (inout Self, String, Int, SchemaPath) throws(GrammarError) -> Int,
    depth: Int
  ) throws(GrammarError) -> Members? {
    var members = Members(declared: [], additional: nil)
    let names = Self.names(schema)
    let required = Set(schema.required.map { Array($0.utf8) })
    guard names.count <= Self.memberLimit else {
      throw .tooLarge(
        path: schema.path.description, reason: "it has more than \(Self.memberLimit) members")
    }
    for name in names {
      let isRequired = required.contains(Array(name.utf8))
      let value = try compile(Self.schemas(schema.objects, member: name), depth: depth + 1)
      if !rules.isNothing(value) {
        let member = try key(&self, name, value, schema.path)
        members.declared.append(separated(member, isRequired: isRequired))
      } else if isRequired {
        _ = impossible(schema.path, "the required member '\(name)' cannot be")
        return nil
      }
    }
    members.additional = try additionalMember(schema, names, depth: depth)
    return members
  }

  /// A member of a JSON object.
  static func keyed(
    _ compiler: inout Self, _ name: String, _ value: Int, _ path: SchemaPath
  ) throws(GrammarError) -> Int {
    let key =
      compiler.isCanonical
      ? compiler.rules.literal(JSONValue.string(name).text(style: .compact))
      : try compiler.compile(words: [name], path)
    return compiler.keyed(key, value)
  }

  mutating func separated(_ member: Int, isRequired: Bool) -> Members.Member {
    Members.Member(
      first: separated(member, isFirst: true), next: separated(member, isFirst: false),
      isRequired: isRequired)
  }

  /// The declared names in order, then what is required beside them.
  private static func names(_ schema: MergedSchema) -> [String] {
    var seen: Set<[UInt8]> = []
    let declared = schema.objects.flatMap { $0.named.map(\.name) }
    return (declared + schema.required).filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// What all schemas say of the member with this name.
  private static func schemas(_ shapes: [MergedSchema.Shape], member name: String) -> [Located] {
    shapes.compactMap { shape in
      shape.named.first { $0.name.isSame(name) }?.schema ?? shape.others
    }
  }

  /// Members beyond the declared ones: where a schema for them is given, or nothing is declared at all.
  private mutating func additionalMember(
    _ schema: MergedSchema, _ names: [String], depth: Int
  ) throws(GrammarError) -> Members.Member? {
    let declares = schema.objects.contains(where: \.isListed) || !schema.required.isEmpty
    guard schema.objects.contains(where: { $0.others != nil }) || !declares else { return nil }
    let value = try compile(schema.objects.compactMap(\.others), depth: depth + 1)
    guard !rules.isNothing(value) else { return nil }
    let name = "except " + JSONValue.array(names.map { .string($0) }).text(style: .compact)
    let spelling = freeSpelling
    let path = schema.path
    let key = try text(name, spelling) { (compiler) throws(GrammarError) in
      try compiler.translated(path, "additionalProperties") { () throws(PatternError) in
        TextRule(try DFA(allExcept: names), spelling: spelling, isName: true)
      }
    }
    return separated(keyed(key, value), isRequired: false)
  }

  // MARK: - Free values

  /// The rule for any value.
  mutating func anyValue() -> Int {
    if let anyValueRule { return anyValueRule }
    let slot = rules.makeSlot()
    let reference = rules.add(.reference(slot: slot))
    anyValueRule = reference
    let string = anyString()
    let list = rules.add(
      .list(
        prefix: [separated(reference, isFirst: true)], rest: separated(reference, isFirst: false),
        minimum: 0, maximum: .max))
    let value = rules.choice([
      anyObject(), bracketed("[", list, "]"), string, freeNumber(),
      word(literals.yes), word(literals.no), word(literals.null),
    ])
    rules.fill(slot: slot, with: value)
    return reference
  }

  /// The rule for any object.
  mutating func anyObject() -> Int {
    let value = anyValue()
    let key = text("name", freeSpelling) {
      TextRule(.anything, spelling: $0.freeSpelling, isName: true)
    }
    let additional = separated(keyed(key, value), isRequired: false)
    return bracketed(
      "{", rules.add(.members(Members(declared: [], additional: additional))), "}")
  }

  private mutating func anyString() -> Int {
    text("string", freeSpelling) { TextRule(.anything, spelling: $0.freeSpelling) }
  }
}
