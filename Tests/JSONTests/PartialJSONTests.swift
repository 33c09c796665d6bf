import Foundation
import JSON
import TestSupport
import Testing

extension JSONValue {
  /// Whether this is what `whole` may look like while it is being written: strings and arrays cut
  /// at the end, members missing behind the last one.
  fileprivate func isBeginning(of whole: JSONValue) -> Bool {
    switch (self, whole) {
    case (.string(let part), .string(let whole)):
      return whole.unicodeScalars.starts(with: part.unicodeScalars)
    case (.array(let part), .array(let whole)):
      guard part.count <= whole.count else { return false }
      guard let last = part.last else { return true }
      return part.dropLast().elementsEqual(whole.prefix(part.count - 1))
        && last.isBeginning(of: whole[part.count - 1])
    case (.object(let part), .object(let whole)):
      guard part.count <= whole.count else { return false }
      return zip(part.members, whole.members).enumerated().allSatisfy { place, members in
        members.0.key == members.1.key
          && (place == part.count - 1
            ? members.0.value.isBeginning(of: members.1.value)
            : members.0.value == members.1.value)
      }
    default: return self == whole
    }
  }

  /// How much is in it.
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .int, .double: 1
    case .string(let text): 1 + text.unicodeScalars.count
    case .array(let elements): 1 + elements.reduce(0) { $0 + $1.weight }
    case .object(let object): 1 + object.members.reduce(0) { $0 + 1 + $1.value.weight }
    }
  }
}

@Suite struct PartialJSONTests {
  private static let documents = [
    #"{"name": "Soup", "steps": ["boil", "e\"at\\"], "n": -12.5e+3, "ok": true, "x": null}"#,
    #"{"a":{"b":{"c":[[],[{}],[1,[2,[3]]]]}},"":"","k\"ey":{"🎈":false}}"#,
    #"  [ 1 , 2.0 , { "t" : "\ud83c\udf88 \u00e9 é 🎈" } , [ ] , "" ]  "#,
    #""just a string \n with \/ escapes \ud800 and \udc00 halves""#,
    #"[true,false,null,0,-0,1e3,"a,b]}{"]"#,
    "{}", "[]", "[[[[[[]]]]]]", "\n\t{\r}\n",
  ]

  private func check(_ text: String) throws {
    let whole = try JSONValue(parsing: text)
    var partial = PartialJSON()
    var weight = 0
    for scalar in text.unicodeScalars {
      partial.append(String(scalar))
      #expect(!partial.isFaulty)
      guard let closed = partial.closed() else { continue }
      let value = try JSONValue(parsing: closed)
      #expect(value.isBeginning(of: whole), "\(closed)")
      // Nothing that was there goes away again.
      #expect(value.weight >= weight, "\(closed)")
      weight = value.weight
      for levels in 0...partial.depth + 1 {
        guard let less = partial.closed(leavingOut: levels) else { continue }
        #expect(try JSONValue(parsing: less).isBeginning(of: value), "\(less)")
      }
      #expect(
        partial.closed(leavingOut: partial.depth + 1) == partial.closed(leavingOut: partial.depth))
    }
    #expect(partial.isComplete)
    #expect(try JSONValue(parsing: #require(partial.closed())) == whole)
  }

  @Test(arguments: documents)
  func everyCutIsABeginningOfTheWhole(_ document: String) throws {
    try check(document)
  }

  @Test func everyCutOfRandomDocuments() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let value = JSONValue.random(depth: 4, using: &random)
      let document: JSONValue = .array([value])
      try check(document.text(style: Bool.random() ? .compact : .pretty(indent: 1)))
    }
  }

  @Test(arguments: [
    ("", nil), ("  ", nil), ("12", nil), ("tru", nil), ("{", "{}"), ("[", "[]"), ("\"", "\"\""),
    ("{\"a", "{}"), ("{\"a\"", "{}"), ("{\"a\":", "{}"), ("{\"a\":1", "{}"),
    ("{\"a\":1,", "{\"a\":1}"), ("{\"a\":tru", "{}"), ("{\"a\":true", "{\"a\":true}"),
    ("[1,2", "[1]"), ("[1,\"x", "[1,\"x\"]"), ("[\"a\\", "[\"a\"]"), ("[\"a\\u00e", "[\"a\"]"),
    ("[\"a\\u00e9", "[\"a\\u00e9\"]"), ("[\"a\\ud83c", "[\"a\"]"), ("[\"a\\ud83c\\udf8", "[\"a\"]"),
    ("[\"\\ud83c\\udf88", "[\"\\ud83c\\udf88\"]"), ("[\"\\ud83cx", "[\"\\ud83cx\"]"),
    ("[{\"a\":[{\"b\":\"c", "[{\"a\":[{\"b\":\"c\"}]}]"),
  ])
  func whatIsUnfinishedIsClosedOrLeftOut(_ text: String, _ closed: String?) {
    var partial = PartialJSON()
    partial.append(text)
    #expect(partial.closed() == closed)
    #expect(!partial.isComplete)
  }

  @Test func openPartsCanBeLeftOut() {
    var partial = PartialJSON()
    partial.append(#"{"a": 1, "b": [{"c": "d"}, {"e": "f"#)
    #expect(partial.depth == 4)
    #expect(partial.closed() == #"{"a": 1, "b": [{"c": "d"}, {"e": "f"}]}"#)
    #expect(partial.closed(leavingOut: 1) == #"{"a": 1, "b": [{"c": "d"}, {}]}"#)
    #expect(partial.closed(leavingOut: 2) == #"{"a": 1, "b": [{"c": "d"}]}"#)
    #expect(partial.closed(leavingOut: 3) == #"{"a": 1}"#)
    #expect(partial.closed(leavingOut: 4) == nil)
    #expect(partial.closed(leavingOut: .max) == nil)
    #expect(partial.closed(leavingOut: -1) == partial.closed())
  }

  @Test(arguments: [
    ("x", nil), ("{\"a\":1}x", "{\"a\":1}"), ("[1,]", "[1]"), ("[01,2", "[]"), ("[1-2,", "[]"),
    ("[1,\"a\\x", "[1,\"a\"]"), ("[\"a\n", "[\"a\"]"), ("{\"a\" 1", "{}"), ("{1", "{}"),
    ("[tru]", "[]"), ("[1}", "[1]"), ("{\"a\\q", "{}"), ("[\"\\u00g", "[\"\"]"), ("[1 2", "[1]"),
    ("[1e999,", "[]"), ("}", nil), ("{}}", "{}"),
  ])
  func aFaultEndsTheReading(_ text: String, _ closed: String?) throws {
    var partial = PartialJSON()
    partial.append(text)
    #expect(partial.isFaulty && !partial.isComplete)
    #expect(partial.closed() == closed)
    partial.append("\", 1, 2]}")
    #expect(partial.closed() == closed)
    if let closed { _ = try JSONValue(parsing: closed) }
  }

  @Test func deepNestingIsAFaultOnlyWhereItCannotBeParsed() throws {
    var partial = PartialJSON()
    partial.append(String(repeating: "[", count: JSONValue.defaultDepthLimit) + "\"a")
    #expect(!partial.isFaulty)
    _ = try JSONValue(parsing: #require(partial.closed()))
    partial = PartialJSON()
    partial.append(String(repeating: "[", count: 100_000))
    #expect(partial.isFaulty)
    _ = try JSONValue(parsing: #require(partial.closed()))
  }

  @Test func readingTakesLinearTime() {
    func seconds(_ count: Int) -> Double {
      let text =
        "[" + String(repeating: #"{"key": "value \u00e9", "n": [1.5, true]},"#, count: count)
      var best = Double.infinity
      for _ in 0..<3 {
        var partial = PartialJSON()
        best = min(best, processorSeconds { partial.append(text) })
      }
      return best
    }
    #expect(seconds(8_000) < 3 * 8 * seconds(1_000))
  }
}

extension JSONValue {
  fileprivate static func random(depth: Int, using random: inout some RandomNumberGenerator) -> Self
  {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .int(.random(in: -1_000...1_000, using: &random))
    case 3: return .double(.random(in: -1e6...1e6, using: &random))
    case 4, 5:
      let alphabet = ["a", "\"", "\\", "\n", "é", "🎈", "\u{301}", "{", "]", ",", ":"]
      return .string((0..<3).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined())
    case 6:
      return .array((0..<3).map { _ in .random(depth: depth - 1, using: &random) })
    default:
      return .object(
        JSONObject((0..<3).map { ("k\($0)\"", .random(depth: depth - 1, using: &random)) }))
    }
  }
}
