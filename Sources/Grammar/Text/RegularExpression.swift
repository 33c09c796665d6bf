/// A regular expression in the part of ECMAScript's language (with its `u` flag) that is regular:
/// literals, `.`, classes, groups, alternation, `*`, `+`, `?` and counted repetition (lazy forms mean
/// the same set of texts), `^` and `$`, `\d \w \s` and their opposites, the escapes for control
/// characters, `\xHH`, `\uHHHH`, `\u{H…}`.
///
/// Look-around, back-references, `\b` and `\p{…}` are refused. Without anchors the expression is
/// searched for, as JSON Schema wants it.
struct RegularExpression {
  /// The texts in which the expression is found.
  let automaton: DFA
  /// Bounds on the number of scalars that come on top of the automaton.
  private(set) var minimum = 0
  private(set) var maximum: Int?

  static let groupLimit = 500

  init(_ pattern: String) throws(PatternError) {
    if let run = try Self.anchoredRun(pattern) {
      self = run
      return
    }
    var parser = RegularExpressionParser(pattern)
    let body = try parser.parseExpression()
    // Search: anything, the expression, anything.
    let head = try parser.nfa.repetition(
      try parser.nfa.scalars(.all), minimum: 0, maximum: nil)
    let tail = try parser.nfa.repetition(
      try parser.nfa.scalars(.all), minimum: 0, maximum: nil)
    let whole = parser.nfa.concatenation(parser.nfa.concatenation(head, body), tail)
    let entry = try parser.nfa.finish(whole)
    automaton = try DFA(parser.nfa, entry: entry)
  }

  private init(automaton: DFA, minimum: Int, maximum: Int?) {
    self.automaton = automaton
    self.minimum = minimum
    self.maximum = maximum
  }

  /// `^x{m,n}$` with one scalar or class x: its repetitions are counted, not written out.
  private static func anchoredRun(_ pattern: String) throws(PatternError) -> RegularExpression? {
    var parser = RegularExpressionParser(pattern)
    guard parser.take("^"), let set = try? parser.parseSet(), parser.next == "{",
      let quantifier = try? parser.parseQuantifier(), parser.take("$"), parser.next == nil
    else { return nil }
    guard quantifier.minimum <= LengthLimits.countLimit else {
      throw .tooLarge("it repeats a part \(quantifier.minimum) times")
    }
    let edges = set.ranges.map {
      DFA.Edge(first: $0.lowerBound, last: $0.upperBound, target: 0)
    }
    return RegularExpression(
      automaton: DFA(states: [edges], accepts: [true]), minimum: quantifier.minimum,
      maximum: quantifier.maximum)
  }
}
