import JSON

extension SchemaCompiler {
  /// Whole numbers that are written without bounds have up to 16 digits.
  private static let unboundedWhole = 9_999_999_999_999_999
  private static let largestWhole = 999_999_999_999_999_999
  /// Multiples up to this many are listed; divisors up to the other one are followed digit by digit.
  private static let listedMultiples = 1_000
  private static let divisorLimit = 256

  mutating func compileNumber(_ schema: MergedSchema) throws(GrammarError) -> Int {
    let isWhole = !schema.types.contains(.fraction) || !schema.divisors.isEmpty
    guard schema.types.contains(.integer) || schema.types.contains(.fraction) else {
      return rules.nothing()
    }
    return try isWhole ? compileWhole(schema) : compileFraction(schema)
  }

  private mutating func compileWhole(_ schema: MergedSchema) throws(GrammarError) -> Int {
    let divisor = try self.divisor(schema)
    var low: Int?
    var high: Int?
    if let bound = schema.lower {
      let value = bound.value.ceiling
      guard value != nil || bound.value.isNegative else { throw tooFar(schema, "minimum") }
      let isOnWhole = bound.value.fraction.isEmpty
      low = value.map { isOnWhole && !bound.isInclusive ? $0 + 1 : $0 }
    }
    if let bound = schema.upper {
      let value = bound.value.floor
      guard value != nil || !bound.value.isNegative else { throw tooFar(schema, "maximum") }
      let isOnWhole = bound.value.fraction.isEmpty
      high = value.map { isOnWhole && !bound.isInclusive ? $0 - 1 : $0 }
    }
    let free = Self.unboundedWhole
    let first = max(low ?? ((high ?? 0) < -free ? -Self.largestWhole : -free), -Self.largestWhole)
    let last = min(high ?? ((low ?? 0) > free ? Self.largestWhole : free), Self.largestWhole)
    guard first <= last else {
      return impossible(schema.path, "no whole number lies between its bounds")
    }
    let name = "integer \(first) \(last) \(divisor)"
    let path = schema.path
    let rule = try text(name, .raw) { (compiler) throws(GrammarError) in
      try compiler.translated(path, "multipleOf") { () throws(PatternError) in
        TextRule(try Self.wholeNumbers(first, last, multipleOf: divisor), spelling: .raw)
      }
    }
    if rules.isNothing(rule) {
      return impossible(path, "no multiple of \(divisor) lies between its bounds")
    }
    return rule
  }

  private func tooFar(_ schema: MergedSchema, _ keyword: String) -> GrammarError {
    .unsupported(
      path: schema.path.description, keyword: keyword,
      reason: "numbers of more than 18 digits are never written")
  }

  /// The number that all divisors divide.
  private func divisor(_ schema: MergedSchema) throws(GrammarError) -> Int {
    var result = 1
    for (value, path) in schema.divisors {
      guard value.fraction.isEmpty, let step = value.floor else {
        throw .unsupported(
          path: path.description, keyword: "multipleOf",
          reason: "only whole numbers up to 18 digits can be guaranteed")
      }
      var (a, b) = (result, step)
      while b != 0 { (a, b) = (b, a % b) }
      let (product, overflow) = (result / max(a, 1)).multipliedReportingOverflow(by: step)
      result = overflow ? Int.max : product
    }
    return result
  }

  private static func wholeNumbers(
    _ first: Int, _ last: Int, multipleOf divisor: Int
  ) throws(PatternError) -> DFA {
    if divisor > 1 {
      let low = first / divisor + (first % divisor > 0 ? 1 : 0)
      let high = last / divisor - (last % divisor < 0 ? 1 : 0)
      if high < low { return DFA(states: [], accepts: []) }
      if high - low <= listedMultiples {
        return try DFA(words: (low...high).map { String($0 * divisor) })
      }
      guard divisor <= divisorLimit else {
        throw .unsupported("a divisor above \(divisorLimit) with so many multiples")
      }
    }
    var branches: [String] = []
    if let positive = NumberPatterns.whole(max(first, 0), last) { branches.append(positive) }
    if first < 0, let negative = NumberPatterns.whole(max(1, -last), -first) {
      branches.append("-\(negative)")
    }
    let range = try RegularExpression("^(\(branches.joined(separator: "|")))$").automaton
    return divisor > 1 ? try range.intersection(multiples(of: divisor)) : range
  }

  /// Digits, perhaps behind a minus, whose number leaves no rest: state 0 is the start, 1 stands
  /// behind the sign, and 2 + r behind digits that leave r.
  private static func multiples(of divisor: Int) -> DFA {
    var states: [[DFA.Edge]] = []
    func digits(from rest: Int) -> [DFA.Edge] {
      (0...9).map { digit in
        let scalar = UInt32(0x30 + digit)
        return DFA.Edge(first: scalar, last: scalar, target: 2 + (rest * 10 + digit) % divisor)
      }
    }
    states.append([DFA.Edge(first: 0x2D, last: 0x2D, target: 1)] + digits(from: 0))
    states.append(digits(from: 0))
    for rest in 0..<divisor { states.append(digits(from: rest)) }
    return DFA(states: states, accepts: states.indices.map { $0 == 2 })
  }

  // MARK: - Numbers with fractions

  private mutating func compileFraction(_ schema: MergedSchema) throws(GrammarError) -> Int {
    guard schema.lower != nil || schema.upper != nil else { return freeNumber() }
    var choices: [Int] = []
    if let positive = try fraction(schema, schema.lower, schema.upper) {
      choices.append(positive)
    }
    let lower = schema.lower.map {
      MergedSchema.Bound(value: -$0.value, isInclusive: $0.isInclusive)
    }
    let upper = schema.upper.map {
      MergedSchema.Bound(value: -$0.value, isInclusive: $0.isInclusive)
    }
    // Zero is written without a sign.
    let aboveZero = MergedSchema.Bound(value: .zero, isInclusive: false)
    let nearest = upper.flatMap { $0.value > .zero ? $0 : nil } ?? aboveZero
    if let negative = try fraction(schema, nearest, lower) {
      choices.append(rules.sequence([rules.literal("-"), negative]))
    }
    if choices.isEmpty {
      return impossible(schema.path, "no number lies between its bounds")
    }
    return rules.choice(choices)
  }

  /// Numbers without a sign between bounds; nil where there are none.
  private mutating func fraction(
    _ schema: MergedSchema, _ lower: MergedSchema.Bound?, _ upper: MergedSchema.Bound?
  ) throws(GrammarError) -> Int? {
    if let upper, upper.value.isNegative { return nil }
    var patterns = [NumberPatterns.unsigned]
    if let lower, !lower.value.isNegative {
      guard let pattern = NumberPatterns.atLeast(lower) else { return nil }
      patterns.append(pattern)
    }
    if let upper {
      guard let pattern = NumberPatterns.atMost(upper) else { return nil }
      patterns.append(pattern)
    }
    let path = schema.path
    let name = "number \(patterns.dropFirst().joined(separator: " "))"
    let rule = try text(name, .raw) { (compiler) throws(GrammarError) in
      try compiler.translated(path, "minimum") { () throws(PatternError) in
        var automaton: DFA?
        for pattern in patterns {
          let next = try RegularExpression("^\(pattern)$").automaton
          automaton = try automaton?.intersection(next) ?? next
        }
        return TextRule(automaton ?? .anything, spelling: .raw)
      }
    }
    return rules.isNothing(rule) ? nil : rule
  }

  /// Any number: up to 15 digits and an exponent of up to two.
  mutating func freeNumber() -> Int {
    text("number", .raw) { compiler in
      TextRule(
        compiler.isCanonical ? NumberPatterns.canonical : NumberPatterns.free, spelling: .raw)
    }
  }
}
