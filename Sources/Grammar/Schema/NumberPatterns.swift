/// Regular expressions for decimal numbers between bounds.
enum NumberPatterns {
  /// Digits that a number may have, so that its text and its `Double` tell each other exactly.
  static let digitLimit = 15

  /// Whole numbers without sign from `low` up to `high`; nil where there are none.
  static func whole(_ low: Int, _ high: Int) -> String? {
    guard low <= high, low >= 0 else { return nil }
    var branches: [String] = []
    var first = low
    // One length after the other.
    while true {
      let digits = String(first)
      let last = String(repeating: "9", count: digits.utf8.count)
      guard let top = Int(last), top < high else {
        branches.append(sameLength(digits, String(high)))
        break
      }
      branches.append(sameLength(digits, last))
      first = top + 1
    }
    return "(" + branches.joined(separator: "|") + ")"
  }

  private static func sameLength(_ low: String, _ high: String) -> String {
    let low = Array(low.utf8.map { $0 - 0x30 })
    let high = Array(high.utf8.map { $0 - 0x30 })
    var shared = 0
    while shared < low.count, low[shared] == high[shared] { shared += 1 }
    let head = text(low[..<shared])
    guard shared < low.count else { return head }
    let rest = low.count - shared - 1
    if low[(shared + 1)...].allSatisfy({ $0 == 0 }), high[(shared + 1)...].allSatisfy({ $0 == 9 }) {
      return head + digit(low[shared], high[shared]) + any(rest)
    }
    var branches = [
      text(low[...shared]) + atLeast(low[(shared + 1)...]),
      text(high[...shared]) + atMost(high[(shared + 1)...]),
    ]
    if low[shared] + 1 < high[shared] {
      branches.append(head + digit(low[shared] + 1, high[shared] - 1) + any(rest))
    }
    return "(" + branches.joined(separator: "|") + ")"
  }

  /// As many digits as `bound` has, that are not below it.
  private static func atLeast(_ bound: ArraySlice<UInt8>) -> String {
    var branches = [text(bound)]
    for index in bound.indices where bound[index] < 9 {
      branches.append(
        text(bound[..<index]) + digit(bound[index] + 1, 9) + any(bound.endIndex - index - 1))
    }
    return "(" + branches.joined(separator: "|") + ")"
  }

  private static func atMost(_ bound: ArraySlice<UInt8>) -> String {
    var branches = [text(bound)]
    for index in bound.indices where bound[index] > 0 {
      branches.append(
        text(bound[..<index]) + digit(0, bound[index] - 1) + any(bound.endIndex - index - 1))
    }
    return "(" + branches.joined(separator: "|") + ")"
  }

  private static func digit(_ low: UInt8, _ high: UInt8) -> String { "[\(low)-\(high)]" }
  private static func any(_ count: Int) -> String { count == 0 ? "" : "\\d{\(count)}" }
  private static func text(_ digits: some Sequence<UInt8>) -> String {
    String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
  }
}

extension NumberPatterns {
  /// The largest whole part of a number with a fraction.
  static let largestWhole = 999_999_999_999_999

  /// Numbers without sign and exponent, of at most `digitLimit` digits.
  static let unsigned: String = {
    var branches: [String] = []
    for count in 1...digitLimit {
      let whole = count == 1 ? "\\d" : "[1-9]\\d{\(count - 1)}"
      branches.append(count == digitLimit ? whole : whole + "(\\.\\d{1,\(digitLimit - count)})?")
    }
    return "(" + branches.joined(separator: "|") + ")"
  }()

  /// All numbers of at most `digitLimit` digits, with an exponent of up to two. Nothing, should the
  /// pattern be wrong.
  static let free: DFA =
    (try? RegularExpression("^-?\(unsigned)([eE][+-]?\\d{1,2})?$").automaton)
    ?? DFA(states: [], accepts: [])

  /// The same without exponents behind a bare zero: Foundation on Linux does not read `0e7`.
  static let canonical: DFA =
    (try? free.intersection(RegularExpression("^-?(0(\\..*)?|[1-9].*)$").automaton)) ?? free

  /// Numbers without sign that are not below `bound`, or above it; nil where there are none.
  static func atLeast(_ bound: MergedSchema.Bound) -> String? {
    guard let whole = bound.value.floor, whole <= largestWhole else { return nil }
    var branches: [String] = []
    if let more = self.whole(whole + 1, largestWhole) { branches.append("\(more)(\\.\\d+)?") }
    let fraction = bound.value.fraction
    if fraction.isEmpty {
      branches.append(bound.isInclusive ? "\(whole)(\\.\\d+)?" : "\(whole)\\.\\d*[1-9]\\d*")
    } else {
      for index in fraction.indices where fraction[index] < 9 {
        branches.append(
          "\(whole)\\.\(text(fraction[..<index]))\(digit(fraction[index] + 1, 9))\\d*")
      }
      let rest = bound.isInclusive ? "\\d*" : "\\d*[1-9]\\d*"
      branches.append("\(whole)\\.\(text(fraction))\(rest)")
    }
    return "(" + branches.joined(separator: "|") + ")"
  }

  /// Numbers without sign that are not above `bound`, or below it; nil where there are none.
  static func atMost(_ bound: MergedSchema.Bound) -> String? {
    guard let floor = bound.value.floor else {
      return "\\d+(\\.\\d+)?"
    }
    guard floor <= largestWhole else { return "\\d+(\\.\\d+)?" }
    let whole = floor
    var branches: [String] = []
    if whole > 0, let less = self.whole(0, whole - 1) { branches.append("\(less)(\\.\\d+)?") }
    let fraction = bound.value.fraction
    if fraction.isEmpty {
      if bound.isInclusive { branches.append("\(whole)(\\.0+)?") }
    } else {
      branches.append("\(whole)")
      for index in fraction.indices {
        let head = text(fraction[..<index])
        if fraction[index] > 0 {
          branches.append("\(whole)\\.\(head)\(digit(0, fraction[index] - 1))\\d*")
        }
        if index > 0 { branches.append("\(whole)\\.\(head)") }
      }
      if bound.isInclusive { branches.append("\(whole)\\.\(text(fraction))0*") }
    }
    return branches.isEmpty ? nil : "(" + branches.joined(separator: "|") + ")"
  }
}
