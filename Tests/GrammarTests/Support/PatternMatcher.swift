/// A tiny matcher for the regular expressions of JSON Schema (ECMA 262, Unicode scalars), as a
/// second opinion on patterns. It follows all ways through an expression at once, as sets of
/// positions, so it needs no backtracking.
struct PatternMatcher {
  private let root: Node

  private indirect enum Node {
    case scalar((Unicode.Scalar) -> Bool)
    case start, end
    case boundary(Bool)
    case sequence([Node])
    case choice([Node])
    case repetition(Node, ClosedRange<Int>)
  }

  struct Unreadable: Error {}

  init(_ pattern: String) throws {
    var reader = Reader(scalars: Array(pattern.unicodeScalars))
    root = try reader.choice()
    guard reader.next == nil else { throw Unreadable() }
  }

  /// Whether the expression matches somewhere in the text.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    return !ends(root, from: Set(0...scalars.count), in: scalars).isEmpty
  }

  private func ends(_ node: Node, from starts: Set<Int>, in text: [Unicode.Scalar]) -> Set<Int> {
    switch node {
    case .scalar(let isMember):
      return Set(starts.filter { $0 < text.count && isMember(text[$0]) }.map { $0 + 1 })
    case .start: return starts.intersection([0])
    case .end: return starts.intersection([text.count])
    case .boundary(let wanted):
      return starts.filter { place in
        let before = place > 0 && Self.isWord(text[place - 1])
        let after = place < text.count && Self.isWord(text[place])
        return (before != after) == wanted
      }
    case .sequence(let nodes):
      return nodes.reduce(starts) { ends($1, from: $0, in: text) }
    case .choice(let nodes):
      return nodes.reduce(into: []) { $0.formUnion(ends($1, from: starts, in: text)) }
    case .repetition(let node, let range):
      var current = starts
      for _ in 0..<range.lowerBound {
        let following = ends(node, from: current, in: text)
        if following == current { break }
        current = following
      }
      var all = current
      for _ in 0..<range.upperBound - range.lowerBound {
        current = ends(node, from: current, in: text).subtracting(all)
        if current.isEmpty { break }
        all.formUnion(current)
      }
      return all
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      || scalar == "_"
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0xA0, 0xFEFF, 0x2028, 0x2029: true
    default: scalar.properties.generalCategory == .spaceSeparator
    }
  }

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var place = 0

    var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      place += 1
      return true
    }

    mutating func advance() throws -> Unicode.Scalar {
      guard let scalar = next else { throw Unreadable() }
      place += 1
      return scalar
    }

    mutating func choice() throws -> Node {
      var branches = [try sequence()]
      while take("|") { branches.append(try sequence()) }
      return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws -> Node {
      var nodes: [Node] = []
      while let scalar = next, scalar != "|", scalar != ")" {
        nodes.append(try quantified(try atom()))
      }
      return .sequence(nodes)
    }

    private mutating func quantified(_ node: Node) throws -> Node {
      let range: ClosedRange<Int>
      if take("*") {
        range = 0...Int.max - 1
      } else if take("+") {
        range = 1...Int.max - 1
      } else if take("?") {
        range = 0...1
      } else if take("{") {
        guard let low = number() else { throw Unreadable() }
        var high = low
        if take(",") { high = number() ?? Int.max - 1 }
        guard take("}"), low <= high else { throw Unreadable() }
        range = low...high
      } else {
        return node
      }
      _ = take("?")
      return .repetition(node, range)
    }

    private mutating func number() -> Int? {
      var digits = ""
      while let scalar = next, isDigit(scalar) {
        digits.unicodeScalars.append(scalar)
        place += 1
      }
      return Int(digits)
    }

    private mutating func atom() throws -> Node {
      let scalar = try advance()
      switch scalar {
      case "^": return .start
      case "$": return .end
      case ".": return .scalar { !["\n", "\r", "\u{2028}", "\u{2029}"].contains($0) }
      case "(":
        if take("?") {
          guard take(":") else { throw Unreadable() }
        }
        let inner = try choice()
        guard take(")") else { throw Unreadable() }
        return inner
      case "[": return try set()
      case "\\":
        if take("b") { return .boundary(true) }
        if take("B") { return .boundary(false) }
        return .scalar(try escape().isMember)
      case "*", "+", "?", "{", ")": throw Unreadable()
      default: return .scalar { $0 == scalar }
      }
    }

    private enum Member {
      case one(Unicode.Scalar)
      case many((Unicode.Scalar) -> Bool)

      var isMember: (Unicode.Scalar) -> Bool {
        switch self {
        case .one(let scalar): { $0 == scalar }
        case .many(let test): test
        }
      }
    }

    private mutating func escape() throws -> Member {
      let letter = try advance()
      switch letter {
      case "d": return .many(isDigit)
      case "D": return .many { !isDigit($0) }
      case "w": return .many(isWord)
      case "W": return .many { !isWord($0) }
      case "s": return .many(isSpace)
      case "S": return .many { !isSpace($0) }
      case "n": return .one("\n")
      case "r": return .one("\r")
      case "t": return .one("\t")
      case "f": return .one("\u{0C}")
      case "v": return .one("\u{0B}")
      case "0": return .one("\0")
      case "x": return .one(try hex(2))
      case "u":
        guard take("{") else { return .one(try hex(4)) }
        let end = scalars[place...].firstIndex(of: "}") ?? place
        let scalar = try hex(end - place)
        guard take("}") else { throw Unreadable() }
        return .one(scalar)
      default: return .one(letter)
      }
    }

    private mutating func hex(_ count: Int) throws -> Unicode.Scalar {
      var digits = ""
      for _ in 0..<count { digits.unicodeScalars.append(try advance()) }
      guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
        throw Unreadable()
      }
      return scalar
    }

    private mutating func set() throws -> Node {
      let isNegated = take("^")
      var tests: [(Unicode.Scalar) -> Bool] = []
      while !take("]") {
        let first = try member()
        guard case .one(let low) = first, next == "-", place + 1 < scalars.count,
          scalars[place + 1] != "]"
        else {
          tests.append(first.isMember)
          continue
        }
        place += 1
        guard case .one(let high) = try member(), low <= high else { throw Unreadable() }
        tests.append { (low...high).contains($0) }
      }
      return .scalar { scalar in tests.contains { $0(scalar) } != isNegated }
    }

    private mutating func member() throws -> Member {
      if take("\\") {
        if take("b") { return .one("\u{08}") }
        return try escape()
      }
      return .one(try advance())
    }
  }
}
