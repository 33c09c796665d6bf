import JSON

extension SchemaCompiler {
  /// Strings with a given set of texts, spelled as suits the dialect and the use.
  var literalSpelling: TextRule.Spelling {
    isCanonical || literals.null[0] != "null" ? .quotedPlainly : .quoted
  }

  /// Strings that may hold anything.
  var freeSpelling: TextRule.Spelling {
    literals.null[0] == "null" ? .quoted : .quotedPlainly
  }

  /// The rule for a text. `name` tells texts with different contents apart, so that each is built once.
  mutating func text<Failure: Error>(
    _ name: String, _ spelling: TextRule.Spelling,
    _ make: (SchemaCompiler) throws(Failure) -> TextRule
  ) throws(Failure) -> Int {
    if let known = rules.text(named: name, spelling) { return known }
    return rules.add(try make(self), named: name)
  }

  /// Blanks that may stand between two tokens.
  mutating func blanks() -> Int {
    text("blanks", .raw) { _ in
      let edges = [0x09...0x0A, 0x0D...0x0D, 0x20...0x20].map { range in
        DFA.Edge(first: UInt32(range.lowerBound), last: UInt32(range.upperBound), target: 0)
      }
      let automaton = DFA(states: [edges], accepts: [true])
      return TextRule(
        automaton, spelling: .raw,
        limits: try? LengthLimits(automaton, minimum: 0, maximum: Self.blankLimit))
    }
  }

  private static let blankLimit = 80

  /// The place between two tokens of JSON; nil where there is none.
  mutating func gap() -> Int? { isCanonical ? nil : blanks() }

  /// An item or member with what stands between it and the one before.
  mutating func separated(_ item: Int, isFirst: Bool) -> Int {
    if isFirst { return rules.sequence([gap(), item]) }
    return rules.sequence([
      gap(), rules.literal(isCanonical ? ", " : ","), gap(), item,
    ])
  }

  mutating func keyed(_ key: Int, _ value: Int) -> Int {
    rules.sequence([key, gap(), rules.literal(isCanonical ? ": " : ":"), gap(), value])
  }

  /// `content` in brackets; nil: nothing but blanks.
  mutating func bracketed(_ open: String, _ content: Int?, _ close: String) -> Int {
    rules.sequence([rules.literal(open), content, gap(), rules.literal(close)])
  }

  /// Runs `body`, whose errors know no place, for a keyword at `path`.
  func translated<T>(
    _ path: SchemaPath, _ keyword: String, _ body: () throws(PatternError) -> T
  ) throws(GrammarError) -> T {
    do {
      return try body()
    } catch {
      throw GrammarError(error, path, keyword)
    }
  }
}

extension GrammarError {
  init(_ error: PatternError, _ path: SchemaPath, _ keyword: String) {
    let place = path.description
    self =
      switch error {
      case .malformed(let reason): .malformed(path: place, keyword: keyword, reason: reason)
      case .unsupported(let what):
        .unsupported(path: place, keyword: keyword, reason: "\(what) cannot be followed")
      case .tooLarge(let reason): .unsupported(path: place, keyword: keyword, reason: reason)
      case .tooDeep: .tooDeep(path: "\(place).\(keyword)", limit: RegularExpression.groupLimit)
      }
  }
}
