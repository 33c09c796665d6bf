import JSON

/// How the three words of JSON are spelled: the first spelling in canonical form, all of them where
/// blanks are flexible too.
struct JSONLiterals {
  var null: [String]
  var yes: [String]
  var no: [String]

  static let json = JSONLiterals(null: ["null"], yes: ["true"], no: ["false"])
  static let python = JSONLiterals(
    null: ["None", "null"], yes: ["True", "true"], no: ["False", "false"])
}

extension SchemaCompiler {
  var isCanonical: Bool { options.whitespace == .canonical }

  /// The rule for one conjunction without branches.
  mutating func compileMerged(_ parts: [Located], depth: Int) throws(GrammarError) -> Int {
    let schema = try MergedSchema(parts)
    if let literals = schema.literals { return try compile(literals: literals, schema) }
    var choices: [Int] = []
    if schema.types.contains(.object) {
      choices.append(try compileObject(schema, depth: depth))
    }
    if schema.types.contains(.array) { choices.append(try compileList(schema, depth: depth)) }
    if schema.types.contains(.string) { choices.append(try compileString(schema)) }
    if !schema.types.isDisjoint(with: .number) {
      choices.append(try compileNumber(schema))
    }
    if schema.types.contains(.boolean) { choices += [word(literals.yes), word(literals.no)] }
    if schema.types.contains(.null) { choices.append(word(literals.null)) }
    if choices.isEmpty { return impossible(schema.path, "its types exclude each other") }
    return rules.choice(choices)
  }

  mutating func word(_ spellings: [String]) -> Int {
    rules.choice((isCanonical ? [spellings[0]] : spellings).map { rules.literal($0) })
  }

  // MARK: - Listed values

  private mutating func compile(
    literals values: [JSONValue], _ schema: MergedSchema
  ) throws(GrammarError) -> Int {
    var strings: [String] = []
    var numbers: [String] = []
    var choices: [Int] = []
    let hasStrings = values.contains { $0.stringValue != nil }
    let string = hasStrings ? try stringAutomaton(schema) : nil
    for value in values {
      guard try allows(value, schema, string) else { continue }
      switch value {
      case .string(let text): strings.append(text)
      case .int, .double: numbers.append(value.text(style: .python))
      default: choices.append(try compile(literal: value, schema.path))
      }
    }
    if !numbers.isEmpty {
      choices.insert(try compile(words: numbers, spelling: .raw, schema.path), at: 0)
    }
    if !strings.isEmpty { choices.insert(try compile(words: strings, schema.path), at: 0) }
    if choices.isEmpty {
      return impossible(schema.path, "none of its listed values fits its other keywords")
    }
    return rules.choice(choices)
  }

  /// Whether the keywords beside a list of values allow this one of them.
  private func allows(
    _ value: JSONValue, _ schema: MergedSchema, _ string: StringAutomaton?
  ) throws(GrammarError) -> Bool {
    guard schema.types.isSuperset(of: TypeSet(of: value)) else { return false }
    switch value {
    case .string(let text): return string?.allows(text) ?? true
    case .int, .double:
      guard let number = DecimalNumber(value) else { return false }
      return allows(number, schema)
    case .array, .object:
      guard schema.items.isEmpty, schema.objects.isEmpty, schema.required.isEmpty,
        schema.minimumItems == 0, schema.maximumItems == nil
      else {
        throw .unsupported(
          path: schema.path.description, keyword: "enum",
          reason: "lists and objects among the values cannot be combined with other keywords")
      }
      return true
    case .null, .bool: return true
    }
  }

  private func allows(_ number: DecimalNumber, _ schema: MergedSchema) -> Bool {
    if let lower = schema.lower {
      guard lower.value < number || (lower.isInclusive && lower.value == number) else {
        return false
      }
    }
    if let upper = schema.upper {
      guard number < upper.value || (upper.isInclusive && upper.value == number) else {
        return false
      }
    }
    return schema.divisors.allSatisfy { number.isMultiple(of: $0.value) }
  }

  /// Strings of which one must come.
  mutating func compile(words: [String], _ path: SchemaPath) throws(GrammarError) -> Int {
    try compile(words: words, spelling: literalSpelling, path)
  }

  private mutating func compile(
    words: [String], spelling: TextRule.Spelling, _ path: SchemaPath
  ) throws(GrammarError) -> Int {
    let name = "words " + JSONValue.array(words.map { .string($0) }).text(style: .compact)
    return try text(name, spelling) { (compiler) throws(GrammarError) in
      try compiler.translated(path, "enum") { () throws(PatternError) in
        TextRule(try DFA(words: words), spelling: spelling)
      }
    }
  }

  /// One value, with gaps where blanks are flexible.
  private mutating func compile(
    literal value: JSONValue, _ path: SchemaPath, depth: Int = 0
  ) throws(GrammarError) -> Int {
    guard depth <= 32 else { throw .tooDeep(path: path.description, limit: 32) }
    switch value {
    case .null: return word(literals.null)
    case .bool(let value): return word(value ? literals.yes : literals.no)
    case .int, .double: return rules.literal(value.text(style: .python))
    case .string(let text): return try compile(words: [text], path)
    case .array(let elements):
      var items: [Int] = []
      for (index, element) in elements.enumerated() {
        let item = try compile(literal: element, path, depth: depth + 1)
        items.append(separated(item, isFirst: index == 0))
      }
      return bracketed("[", items.isEmpty ? nil : rules.sequence(items), "]")
    case .object(let object):
      var items: [Int] = []
      for (index, member) in object.members.enumerated() {
        let value = try compile(literal: member.value, path, depth: depth + 1)
        let key = try compile(words: [member.key], path)
        items.append(separated(keyed(key, value), isFirst: index == 0))
      }
      return bracketed("{", items.isEmpty ? nil : rules.sequence(items), "}")
    }
  }
}

extension DecimalNumber {
  /// Whether the value is a whole number of times `divisor`; exact.
  func isMultiple(of divisor: DecimalNumber) -> Bool {
    // Both times the power of ten that makes them whole, then long division.
    let places = max(fraction.count, divisor.fraction.count)
    func scaled(_ number: DecimalNumber) -> [UInt8] {
      number.whole + number.fraction
        + [UInt8](repeating: 0, count: places - number.fraction.count)
    }
    let digits = scaled(divisor)
    guard digits.count <= 17,
      let step = Int(String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)),
      step > 0
    else { return self == .zero }
    var rest = 0
    for digit in scaled(self) {
      let (high, overflow) = rest.multipliedReportingOverflow(by: 10)
      guard !overflow else { return false }
      rest = (high + Int(digit)) % step
    }
    return rest == 0
  }
}
