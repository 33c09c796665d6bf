import JSON

extension SchemaCompiler {
  /// A string's automaton with the bounds on its length.
  struct StringAutomaton {
    var automaton: DFA
    var minimum: Int
    var maximum: Int?

    func allows(_ text: String) -> Bool {
      let count = text.unicodeScalars.count
      return count >= minimum && count <= maximum ?? .max && automaton.accepts(text.unicodeScalars)
    }
  }

  mutating func compileString(_ schema: MergedSchema) throws(GrammarError) -> Int {
    let isFree = schema.patterns.isEmpty && schema.formats.isEmpty
    let spelling = isFree ? freeSpelling : literalSpelling
    let conditions = (schema.patterns + schema.formats).map { JSONValue.string($0.text) }
    let name =
      "string \(schema.minimumLength) \(schema.maximumLength ?? -1) \(schema.patterns.count) "
      + JSONValue.array(conditions).text(style: .compact)
    let path = schema.path
    let rule = try text(name, spelling) { (compiler) throws(GrammarError) in
      let string = try compiler.stringAutomaton(schema)
      return try compiler.translated(path, isFree ? "maxLength" : "pattern") {
        () throws(PatternError) in
        TextRule(
          string.automaton, spelling: spelling,
          limits: string.minimum == 0 && string.maximum == nil
            ? nil
            : try LengthLimits(
              string.automaton, minimum: string.minimum, maximum: string.maximum))
      }
    }
    if rules.isNothing(rule) {
      return impossible(path, "no string keeps its length, pattern and format together")
    }
    return rule
  }

  func stringAutomaton(_ schema: MergedSchema) throws(GrammarError) -> StringAutomaton {
    var result = StringAutomaton(
      automaton: .anything, minimum: schema.minimumLength, maximum: schema.maximumLength)
    func add(_ expression: RegularExpression) throws(PatternError) {
      result.automaton =
        result.automaton == .anything
        ? expression.automaton : try result.automaton.intersection(expression.automaton)
      result.minimum = max(result.minimum, expression.minimum)
      if let maximum = expression.maximum {
        result.maximum = min(result.maximum ?? maximum, maximum)
      }
    }
    for pattern in schema.patterns {
      try translated(pattern.path, "pattern") { () throws(PatternError) in
        try add(try RegularExpression(pattern.text))
      }
    }
    for format in schema.formats {
      guard let known = try StringFormat(format.text, format.path) else { continue }
      try translated(format.path, "format") { () throws(PatternError) in
        try add(try RegularExpression(known.pattern))
      }
      if let maximum = known.maximumLength {
        result.maximum = min(result.maximum ?? maximum, maximum)
      }
    }
    return result
  }
}
