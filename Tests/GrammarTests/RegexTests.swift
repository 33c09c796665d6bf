import TestSupport
import Testing

@testable import Grammar

@Suite struct RegexTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    let expression = try RegularExpression(pattern)
    let count = text.unicodeScalars.count
    return count >= expression.minimum && count <= expression.maximum ?? .max
      && expression.automaton.accepts(text.unicodeScalars)
  }

  @Test(arguments: [
    ("^a+b*$", ["a", "aab", "ab"], ["", "b", "aba"]),
    ("foo", ["foo", "a foo b", "foofoo"], ["fo", "f oo"]),
    ("^(a|bc){2,3}$", ["aa", "bca", "abcbc"], ["a", "aaaa", "abcb"]),
    ("^(?:a(?<n>b|c)?)*$", ["", "a", "abac"], ["b", "abb"]),
    ("^[^a-c\\d]$", ["d", "é", "😀", "-"], ["a", "b", "3", "dd"]),
    ("^[\\]a\\-z-]+$", ["]a-z"], ["b"]),
    ("^\\u00e9\\u{1F600}\\ud83d\\ude01\\x41$", ["é😀😁A"], ["e😀😁A"]),
    ("^\\s\\S\\w\\W\\D$", [" x_-y"], ["xx_-y", " x_-3"]),
    ("^.$", ["x", "é"], ["\n", "", "xy"]),
    ("^a{0}b{2}c{1,}$", ["bbc", "bbccc"], ["abbc", "bb"]),
    ("^(a?){3}$", ["", "aaa"], ["aaaa"]),
    ("a$|^b", ["xa", "bx"], ["ax", "xb"]),
    ("^$", [""], ["a"]),
    ("", ["", "anything"], []),
    ("^(|a)b??$", ["", "a", "ab", "b"], ["bb"]),
    ("^\\/\\.\\*\\$\\^\\(\\t\\n$", ["/.*$^(\t\n"], ["/.*$^("]),
  ])
  func expressionsMatchWhatTheySay(
    pattern: String, matching: [String], others: [String]
  ) throws {
    for text in matching { #expect(try matches(pattern, text), "\(pattern) on \(text)") }
    for text in others { #expect(try !matches(pattern, text), "\(pattern) on \(text)") }
  }

  @Test(arguments: [
    "(", ")", "a)", "[a", "a**", "*a", "a{2,1}", "a{", "a{x}", "\\", "[b-a]", "(?<n", "\\u12",
    "\\ud800", "a]", "}", "[\\d-z]+(",
  ])
  func whatIsNoExpressionIsMalformed(pattern: String) throws {
    let error = try #require(throws: PatternError.self) { try RegularExpression(pattern) }
    guard case .malformed = error else {
      Issue.record("\(pattern): \(error)")
      return
    }
  }

  @Test(arguments: ["(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(a)\\1", "\\k<n>", "\\bа", "\\p{L}"])
  func whatIsNotRegularIsRefused(pattern: String) throws {
    let error = try #require(throws: PatternError.self) { try RegularExpression(pattern) }
    guard case .unsupported = error else {
      Issue.record("\(pattern): \(error)")
      return
    }
  }

  @Test func groupsMayBeDeepButNotEndless() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(try matches("^" + nested(400) + "$", "a"))
    #expect(throws: PatternError.tooDeep(limit: RegularExpression.groupLimit)) {
      try RegularExpression(nested(60_000))
    }
  }

  @Test(arguments: [
    "^a{2000000000,2147483647}$", "(a{1000}){1000}", "((a{100}){100}){100}", "(ab){99999999999999}",
    "(a|b)*a(a|b){30}",
  ])
  func hugeRepetitionsAreRefusedQuickly(pattern: String) {
    let time = processorSeconds {
      #expect(throws: PatternError.self) { try RegularExpression(pattern) }
    }
    #expect(time < 5)
  }

  @Test func oneRepeatedClassIsCounted() throws {
    let expression = try RegularExpression("^[a-z]{3,100000}$")
    #expect(expression.automaton.count == 1)
    #expect(expression.minimum == 3 && expression.maximum == 100_000)
  }

  @Test func lengthsKeepOnlyWhatCanBeFinished() throws {
    let triples = try RegularExpression("^(abc)*$").automaton
    let limits = try LengthLimits(triples, minimum: 4, maximum: 7)
    #expect(limits.canFinish(from: 0, after: 0))
    #expect(limits.canFinish(from: 0, after: 3))
    #expect(limits.canFinish(from: 0, after: 6))
    #expect(!limits.canFinish(from: 1, after: 7))
    let none = try LengthLimits(triples, minimum: 4, maximum: 5)
    #expect(!none.canFinish(from: 0, after: 0))
    let endless = try LengthLimits(triples, minimum: 100_000, maximum: nil)
    #expect(endless.canFinish(from: 0, after: 0))
  }

  @Test func clampedCountsBehaveTheSame() throws {
    let automaton = try RegularExpression("^(ab|c)*$").automaton
    let limits = try LengthLimits(automaton, minimum: 40, maximum: 90)
    for count in 0...90 {
      let other = limits.clamped(count, reach: 5)
      for step in 0...5 {
        for state in 0..<automaton.count {
          #expect(
            limits.canFinish(from: state, after: count + step)
              == limits.canFinish(from: state, after: other + step))
        }
        #expect(
          limits.allowsEnd(after: count + step) == limits.allowsEnd(after: other + step))
      }
    }
  }

  @Test func wholeNumberPatternsAreExact() throws {
    for (low, high) in [(0, 0), (0, 9), (7, 123), (99, 1001), (5, 5), (10, 99), (250, 1305)] {
      let pattern = try #require(NumberPatterns.whole(low, high))
      let automaton = try RegularExpression("^\(pattern)$").automaton
      for value in 0...1500 {
        #expect(
          automaton.accepts("\(value)".unicodeScalars) == (low...high).contains(value),
          "\(value) in \(low)...\(high)")
      }
      #expect(!automaton.accepts("0\(max(low, 1))".unicodeScalars))
    }
  }

  @Test(arguments: ["0", "1", "0.25", "2.5", "12.05", "100.999"])
  func fractionPatternsAreExact(text: String) throws {
    let value = try #require(Double(text).flatMap { DecimalNumber($0) })
    for isInclusive in [true, false] {
      let bound = MergedSchema.Bound(value: value, isInclusive: isInclusive)
      let above = try NumberPatterns.atLeast(bound).map {
        try RegularExpression("^\($0)$").automaton
      }
      let below = try NumberPatterns.atMost(bound).map {
        try RegularExpression("^\($0)$").automaton
      }
      for number in [
        "0", "0.0", "0.2", "0.24", "0.25", "0.250", "0.2501", "0.3", "1", "1.0", "1.00001", "2",
        "2.4999", "2.5", "2.50", "2.51", "3", "12", "12.0", "12.04", "12.05", "12.050",
        "12.0500001",
        "12.1", "12.5", "100.998", "100.999", "100.9990", "101", "99.9", "100.99", "1000",
      ] {
        let decimal = try #require(Double(number).flatMap { DecimalNumber($0) })
        let isEqual = decimal == value
        #expect(
          (above?.accepts(number.unicodeScalars) ?? false)
            == (value < decimal || (isEqual && isInclusive)), "\(number) ≥ \(text)")
        #expect(
          (below?.accepts(number.unicodeScalars) ?? false)
            == (decimal < value || (isEqual && isInclusive)), "\(number) ≤ \(text)")
      }
    }
  }

  @Test func decimalsAreReadExactly() throws {
    #expect(DecimalNumber(1e20)?.description == "100000000000000000000")
    #expect(DecimalNumber(2.5e-7)?.description == "0.00000025")
    #expect(DecimalNumber(-0.1)?.description == "-0.1")
    #expect(DecimalNumber(-0.0) == .zero)
    #expect(DecimalNumber(-7.5)?.floor == -8)
    #expect(DecimalNumber(-7.5)?.ceiling == -7)
    #expect(DecimalNumber(Int.min).floor == nil)
  }
}
