/// Turns a regular expression into an automaton as it reads it; open groups lie on a stack of its own.
struct RegularExpressionParser {
  typealias Scalar = Unicode.Scalar
  typealias Quantifier = (minimum: Int, maximum: Int?)

  private let scalars: [Scalar]
  private(set) var position = 0
  var nfa = NFA()

  private struct Group {
    var branches: [NFA.Fragment] = []
    var current: NFA.Fragment?
  }

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  var next: Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func take(_ scalar: Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  mutating func parseExpression() throws(PatternError) -> NFA.Fragment {
    var open = [Group()]
    while let scalar = next {
      var atom: NFA.Fragment
      var repeatable = true
      switch scalar {
      case "(":
        guard open.count <= RegularExpression.groupLimit else {
          throw .tooDeep(limit: RegularExpression.groupLimit)
        }
        try skipGroupStart()
        open.append(Group())
        continue
      case ")":
        guard open.count > 1, let group = open.popLast() else {
          throw malformed("')' closes no group")
        }
        position += 1
        atom = try finished(group)
      case "|":
        position += 1
        open[open.count - 1].branches.append(try branch(open[open.count - 1]))
        open[open.count - 1].current = nil
        continue
      case "^", "$":
        position += 1
        repeatable = false
        atom = try scalar == "^" ? nfa.startAssertion() : nfa.endAssertion()
      case "*", "+", "?", "{":
        throw malformed("nothing stands in front of '\(scalar)' that could be repeated")
      case "]", "}":
        throw malformed("'\(scalar)' must be escaped")
      default:
        atom = try nfa.scalars(try parseSet())
      }
      if repeatable, let next, "*+?{".unicodeScalars.contains(next) {
        let quantifier = try parseQuantifier()
        atom = try nfa.repetition(
          atom, minimum: quantifier.minimum, maximum: quantifier.maximum)
      }
      let before = open[open.count - 1].current
      open[open.count - 1].current = before.map { nfa.concatenation($0, atom) } ?? atom
    }
    guard open.count == 1 else { throw malformed("a group is not closed") }
    return try finished(open[0])
  }

  private mutating func finished(_ group: Group) throws(PatternError) -> NFA.Fragment {
    let last = try branch(group)
    return group.branches.isEmpty ? last : try nfa.alternation(group.branches + [last])
  }

  private mutating func branch(_ group: Group) throws(PatternError) -> NFA.Fragment {
    if let current = group.current { return current }
    return try nfa.empty()
  }

  /// `(`, `(?:` or `(?<name>`.
  private mutating func skipGroupStart() throws(PatternError) {
    position += 1
    guard take("?") else { return }
    if take(":") { return }
    if take("<"), next != "=", next != "!" {
      while let scalar = next, scalar != ">" {
        guard scalar.properties.isXIDContinue || scalar == "$" else { break }
        position += 1
      }
      guard take(">") else { throw malformed("a group's name is not closed") }
      return
    }
    throw .unsupported("look-around and group flags")
  }

  /// The quantifier that begins here, with a `?` behind it that makes no difference.
  mutating func parseQuantifier() throws(PatternError) -> Quantifier {
    var result: Quantifier = (0, nil)
    switch next {
    case "*": position += 1
    case "+":
      position += 1
      result.minimum = 1
    case "?":
      position += 1
      result.maximum = 1
    default: result = try parseCounts()
    }
    _ = take("?")
    return result
  }

  private mutating func parseCounts() throws(PatternError) -> Quantifier {
    position += 1
    guard let minimum = parseNumber() else { throw malformed("'{' is followed by no count") }
    var maximum: Int? = minimum
    if take(",") { maximum = parseNumber() }
    guard take("}") else { throw malformed("a count is not closed by '}'") }
    if let maximum, maximum < minimum { throw malformed("a count's bounds are in the wrong order") }
    return (minimum, maximum)
  }

  private mutating func parseNumber() -> Int? {
    var value: Int?
    while let digit = next.flatMap({ Int(String($0)) }) {
      // Anything beyond is refused as too large whatever it is.
      value = min((value ?? 0) * 10 + digit, 1_000_000_000_000)
      position += 1
    }
    return value
  }

  func malformed(_ reason: String) -> PatternError {
    .malformed("\(reason), at character \(position + 1)")
  }

  mutating func advance() { position += 1 }
}
