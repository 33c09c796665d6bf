import Grammar
import JSON
import Sampling
import Testing

/// Every byte as a token of its own, then these.
func vocabulary(_ texts: [String] = []) -> GrammarVocabulary {
  let longer = texts.map { Array($0.utf8) }
  return GrammarVocabulary(count: 256 + texts.count) { id in
    id < 256 ? [UInt8(id)] : longer[Int(id) - 256]
  }
}

/// Whether a text is a whole answer.
func accepts(_ grammar: Grammar, _ text: String) -> Bool {
  var matcher = GrammarMatcher(grammar, vocabulary: vocabulary())
  return matcher.accept(bytes: text.utf8) == nil && matcher.isComplete
}

@Suite struct MatcherTests {
  private func accepted(_ schema: String, _ text: String) throws -> Bool {
    accepts(try Grammar(jsonSchema: schema), text)
  }

  @Test func membersComeInTheOrderOfTheSchema() throws {
    let schema = """
      {"type":"object","properties":{"a":{"const":"foo"},"b":{"const":"bar"}},"required":["b"]}
      """
    #expect(try accepted(schema, #"{"a":"foo","b":"bar"}"#))
    #expect(try accepted(schema, #"{"b":"bar"}"#))
    #expect(try accepted(schema, "{ \"a\" : \"foo\",\n \"b\": \"bar\" }"))
    #expect(try !accepted(schema, #"{"b":"bar","a":"foo"}"#))
    #expect(try !accepted(schema, #"{"b":"bar","a":"BAD"}"#))
    #expect(try !accepted(schema, #"{"a":"foo"}"#))
    #expect(try !accepted(schema, #"{"a":"foo","b":"bar","b":"bar"}"#))
  }

  @Test func noNameComesTwice() throws {
    let grammar = try Grammar(
      jsonSchema: #"{"properties":{"a":{}},"additionalProperties":true}"#)
    for text in [
      #"{"a":1,"b":2,"c":{"b":1,"a":2},"bc":3,"":4}"#, #"{"b":[{"b":1},{"b":2}],"bb":1}"#,
    ] {
      #expect(accepts(grammar, text), "\(text)")
    }
    for text in [
      #"{"a":1,"a":2}"#, #"{"b":1,"a":2}"#, #"{"b":1,"b":2}"#, #"{"b":1,"c":2,"\u0062":3}"#,
      #"{"":1,"":1}"#, #"{"c":{"x":1,"x":2}}"#, #"{"b":1,"\u0061":2}"#,
    ] {
      #expect(!accepts(grammar, text), "\(text)")
    }
  }

  @Test func branchesCombineWithWhatStandsBesideThem() throws {
    let schema = ##"""
      {"$defs":{"b":{"anyOf":[{"required":["x"]},{"required":["y"]}]},
      "n":{"properties":{"v":{"type":"integer"}},"allOf":[{"$ref":"#/$defs/b"}]}},
      "allOf":[{"$ref":"#/$defs/b"},{"anyOf":[{"minLength":2},{"type":"object"}]}],
      "$ref":"#/$defs/n","properties":{"x":{"type":"null"},"y":{"minimum":3}},"type":"object"}
      """##
    #expect(try accepted(schema, #"{"x":null}"#))
    #expect(try accepted(schema, #"{"v":1,"y":3}"#) || accepted(schema, #"{"y":3,"v":1}"#))
    #expect(try !accepted(schema, #"{"v":1}"#))
    #expect(try !accepted(schema, #"{"y":2}"#))
    #expect(try !accepted(schema, #""ab""#))
  }

  @Test func absurdBoundsAreFollowedLazily() throws {
    for schema in [
      #"{"pattern":"^a{1,999999999999}$"}"#, #"{"type":"string","maxLength":524288}"#,
      #"{"type":"string","maxLength":9007199254740991}"#,
      #"{"type":"string","minLength":1000000000}"#,
    ] {
      var matcher = GrammarMatcher(try Grammar(jsonSchema: schema), vocabulary: vocabulary())
      var mask = TokenMask(count: 0)
      #expect(matcher.accept(bytes: "\"aaaa".utf8) == nil)
      #expect(matcher.fill(&mask) > 0)
      #expect(mask.contains(0x61))
    }
  }

  @Test func multiplesAreExact() throws {
    let grammar = try Grammar(jsonSchema: #"{"type":"integer","multipleOf":251}"#)
    for value in [0, 251, -251, 251 * 123_456_789] { #expect(accepts(grammar, "\(value)")) }
    for value in [1, 250, -252, 251 * 123_456_789 + 1] { #expect(!accepts(grammar, "\(value)")) }
  }

  @Test func longListsOfValuesAreAllThere() throws {
    let values = (0..<3_000).map { JSONValue.int($0 * 37) }
    let grammar = try Grammar(jsonSchema: ["enum": .array(values + ["x", 1.5, nil])])
    for text in ["0", "37", "110963", "\"x\"", "1.5", "null"] { #expect(accepts(grammar, text)) }
    for text in ["38", "1", "\"37\""] { #expect(!accepts(grammar, text)) }
  }

  @Test func lettersThatOnlyLookTheSameAreDifferent() throws {
    let schema = #"{"properties":{"\u00e9":{"const":"\u00e9"},"e\u0301":{"const":"e\u0301"}}}"#
    #expect(try accepted(schema, "{\"\u{E9}\":\"\u{E9}\",\"e\u{301}\":\"e\u{301}\"}"))
    #expect(try !accepted(schema, "{\"\u{E9}\":\"e\u{301}\"}"))
    #expect(try !accepted(schema, "{\"e\u{301}\":1,\"e\u{301}\":1}"))
  }

  @Test func stringsAreExactlyWhatIsWellFormed() throws {
    var random = TestRandom(state: 3)
    let grammar = try Grammar(jsonSchema: #"{"type":"string","maxLength":4}"#)
    let start = GrammarMatcher(grammar, vocabulary: vocabulary())
    let leads: [UInt8] = [
      0x41, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0x1F, 0xFF,
    ]
    for _ in 0..<3_000 {
      var bytes = [leads.randomElement(using: &random) ?? 0]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bytes.append([0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0x42].randomElement(using: &random) ?? 0)
      }
      var matcher = start
      let isAccepted = matcher.accept(bytes: [0x22] + bytes + [0x22]) == nil
      let isWellFormed = String(validating: bytes, as: UTF8.self) != nil && bytes[0] >= 0x20
      #expect(isAccepted == isWellFormed, "\(bytes)")
    }
  }

  @Test func anyValueIsAnyJSON() throws {
    let grammar = Grammar.json(objectOnly: false)
    for text in [
      "{}", "[]", "null", "true", "-1.5e3", #"{"a": [1, {"b": "\u00e9\ud83d\ude00 é😀\n"}]}"#,
    ] {
      #expect(accepts(grammar, text), "\(text)")
    }
    for text in ["{", "01", "[1,]", #""\ud83d""#, #""\q""#, #""\u12""#, "\"\n\"", "nul", "1 2"] {
      #expect(!accepts(grammar, text), "\(text)")
    }
  }

  @Test func recursionGoesOnlyAsDeepAsTheLimit() throws {
    let grammar = Grammar.json(objectOnly: false)
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(accepts(grammar, nested(60)))
    #expect(!accepts(grammar, nested(70)))
  }

  @Test func forcedBytesStopAtAChoice() throws {
    var options = GrammarOptions()
    options.whitespace = .canonical
    let grammar = try Grammar(
      jsonSchema: """
        {"properties":{"name":{"enum":["red","rose"]},"n":{"type":"null"}},"required":["name","n"]}
        """, options: options)
    var matcher = GrammarMatcher(grammar, vocabulary: vocabulary())
    #expect(String(decoding: matcher.forcedBytes(), as: UTF8.self) == #"{"name": "r"#)
    #expect(matcher.accept(bytes: #"{"name": "re"#.utf8) == nil)
    #expect(String(decoding: matcher.forcedBytes(), as: UTF8.self) == #"d", "n": null}"#)
    let rest = matcher.forcedBytes()
    #expect(matcher.accept(bytes: rest) == nil)
    #expect(matcher.isComplete && matcher.mustEnd)
    #expect(matcher.forcedBytes().isEmpty)
  }

  @Test func refusedBytesLeaveTheMatcherWhereItWas() throws {
    var matcher = GrammarMatcher(
      try Grammar(jsonSchema: #"{"type":"string","maxLength":3}"#), vocabulary: vocabulary())
    #expect(matcher.accept(bytes: "\"é😀".utf8) == nil)
    #expect(matcher.accept(bytes: "xy".utf8) == 1)
    #expect(matcher.accept(bytes: "x\"".utf8) == nil)
    #expect(matcher.isComplete)
  }

  @Test func aCopyGoesItsOwnWay() throws {
    var matcher = GrammarMatcher(
      try Grammar(jsonSchema: #"{"enum":["ab","ac"]}"#), vocabulary: vocabulary())
    #expect(matcher.accept(bytes: "\"a".utf8) == nil)
    var copy = matcher
    #expect(copy.accept(bytes: "b\"".utf8) == nil)
    #expect(matcher.accept(bytes: "c\"".utf8) == nil)
    #expect(copy.isComplete && matcher.isComplete)
  }
}
