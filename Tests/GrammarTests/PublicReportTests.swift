import Foundation
import Grammar
import JSON
import TestSupport
import Testing

/// Faults that users of other engines reported, S01 to S21 of the bug log, both sides of each.
@Suite struct PublicReportTests {
  private static func array(_ element: String, _ count: Int) -> String {
    "[" + Array(repeating: element, count: count).joined(separator: ", ") + "]"
  }

  @Test func s01LongStringsAreCountedInCodePoints() throws {
    func schema(_ limit: Int) -> String {
      """
      {"type":"object","properties":{"findings":{"type":"array","items":{"type":"object",
      "properties":{"summary":{"type":"string","maxLength":\(limit)}},"required":["summary"]}}},
      "required":["findings"]}
      """
    }
    func answer(_ text: String, _ count: Int) -> String {
      #"{"findings": [{"summary": ""# + String(repeating: text, count: count) + #""}]}"#
    }
    try expect(schema(2_000), accepts: [answer("", 0)], rejects: [#"{"findings": [{}]}"#])
    let grammar = try Grammar(jsonSchema: schema(2_000))
    #expect(grammar.verdict(answer("😀", 2_000)) == .whole)
    #expect(grammar.verdict(answer("a", 2_001)) != .whole)
    #expect(try Grammar(jsonSchema: schema(40)).verdict(answer(#"\u00e9"#, 40)) == .whole)
    for limit in [2_000, 524_288] {
      let seconds = try processorSeconds { _ = try Grammar(jsonSchema: schema(limit)) }
      #expect(seconds < 0.1 * slowness)
    }
  }

  @Test func s02ObjectsWithoutPropertiesAreObjects() throws {
    try expect(#"{"type":"object","properties":{}}"#, accepts: ["{}"], rejects: ["[]", "null", ""])
    try expect(
      #"{"type":"object","properties":{},"additionalProperties":false}"#, accepts: ["{}"],
      rejects: [#"{"a": 1}"#, #"{"": 1}"#])
    try expect(
      #"""
      {"type":"object","properties":{"empty":{"type":"object","properties":{}},
      "n":{"type":"integer"}},"required":["empty","n"]}
      """#,
      accepts: [#"{"empty": {}, "n": 1}"#], rejects: [#"{"n": 1}"#, #"{"empty": {}}"#])
    try expect(
      #"{"type":"object"}"#, accepts: ["{}", #"{"a": [1, {"b": null}]}"#], rejects: ["[]", "1"])
  }

  @Test(arguments: [
    (
      #"{"type":"object","properties":{"a":{"type":"string","pattern":"^a\\!$("}}}"#,
      "$.properties.a", "pattern"
    ),
    (#"{"type":"strin"}"#, "$", "type"),
    (
      #"{"type":"object","properties":{"n":{"type":"integer","minimum":"x"}}}"#,
      "$.properties.n", "minimum"
    ),
  ])
  func s03BadSchemasAreRefusedByPathAndKeyword(
    _ schema: String, _ path: String, _ keyword: String
  ) throws {
    let error = try #require(refusal(of: schema))
    #expect(error.description.contains(path), "\(error)")
    #expect(error.description.contains(keyword), "\(error)")
    #expect(error.localizedDescription == error.description)
  }

  @Test func s03TextThatIsNoJSONIsRefused() throws {
    let error = try #require(refusal(of: "{bad json"))
    #expect(error.description.contains("JSON"), "\(error)")
  }

  @Test func s05ValuesOfOptionalPropertiesAreHeldToTheirSchemas() throws {
    try expect(
      #"{"type":"object","properties":{"a":{"const":"foo"},"b":{"const":"bar"}},"required":["b"]}"#,
      accepts: [#"{"a": "foo", "b": "bar"}"#, #"{"b": "bar"}"#],
      rejects: [
        #"{"b": "bar", "a": "BAD"}"#, #"{"a": "BAD", "b": "bar"}"#, #"{"a": "foo"}"#, "{}",
        #"{"b": "bar", "b": "bar"}"#,
      ])
  }

  @Test func s06KeysComeInTheSchemasOrderOnce() throws {
    let schema = #"""
      {"type":"object","properties":{"zeta":{"type":"string"},"endLine":{"type":"integer"},
      "startLine":{"type":"integer"},"alpha":{"type":"boolean"}},"required":["startLine"]}
      """#
    try expect(
      schema,
      accepts: [
        #"{"startLine": 1}"#, #"{"zeta": "", "endLine": 2, "startLine": 1, "alpha": true}"#,
        #"{"endLine": 2, "startLine": 1}"#, #"{"startLine": 1, "alpha": false}"#,
      ],
      rejects: [
        "{}", #"{"endLine": 2}"#, #"{"endLine": 2, "endLine": 2, "startLine": 1}"#,
        #"{"startLine": 1, "startLine": 1}"#, #"{"startLine": 1, "startLine": 1, "alpha": true}"#,
      ])
    var outputs = RandomOutputs(try JSONValue(parsing: schema), seed: 6)
    let order = ["zeta", "endLine", "startLine", "alpha"]
    for _ in 0..<(isLongRun ? 500 : 60) {
      guard let text = outputs.next(.small, .canonical) else { return }
      let keys = try #require(try StrictJSON.parse(text).objectValue).keys
      #expect(keys == order.filter(keys.contains))
    }
  }

  @Test func s07EnumerationsBehindReferencesHold() throws {
    try expect(
      ##"""
      {"type":"object","properties":{"c":{"$ref":"#/$defs/C"}},"required":["c"],
      "$defs":{"C":{"enum":["red","blue"]}}}
      """##,
      accepts: [#"{"c": "red"}"#, #"{"c": "blue"}"#],
      rejects: [#"{"c": {}}"#, #"{"c": "re"}"#, #"{"c": "reds"}"#, #"{"c": null}"#, "{}"])
  }

  @Test func s09OverlappingBranchesAreRefusedOrExclusive() throws {
    let schema = #"{"oneOf":[{"enum":[1,2]},{"enum":[2,3]}]}"#
    if let grammar = try? Grammar(jsonSchema: schema) {
      #expect(grammar.verdict("2") != .whole)
      #expect(grammar.verdict("1") == .whole && grammar.verdict("3") == .whole)
    } else {
      #expect(refusal(of: schema)?.description.contains("oneOf") == true)
    }
    try expect(
      #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, accepts: [#""""#, #""null""#, "null"],
      rejects: ["1", "nul", "true"])
    try expect(
      #"{"anyOf":[{"enum":[1,2]},{"enum":[2,3]}]}"#, accepts: ["1", "2", "3"], rejects: ["4", "12"])
    try expect(
      #"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#, accepts: [#""1""#, "1"],
      rejects: ["null", "1.5"])
  }

  @Test func s10StringsAreJSONStrings() throws {
    let spelled = [#"\u00e9"#, #"\ud83d\ude00"#, #"\uD83D\uDE00x"#, #"\/"#, #"\u0041"#]
    let good = [
      #"\n"#, "é", "😀", #"\""#, #"\\"#, #"\b\f\r\t"#, "\u{7F}", #"\u0000"#, #"\u001f"#, "",
      "\u{FFFF}", "\u{10FFFF}", "\u{E000}", "e\u{301}", "\u{2028}",
    ]
    let bad =
      [
        #"\q"#, #"\u12"#, #"\u12g4"#, #"\ud83d"#, #"\ude00"#, #"\ud83d\u0041"#, #"\ud83d\n"#, #"\"#,
        #"\ud83d\ud83d"#, #"\x41"#, #"\'"#, #"\0"#, #"\N"#, #"\U0041"#,
      ] + (0..<0x20 as Range<UInt8>).map { String(Unicode.Scalar($0)) }
    try expect(
      #"{"type":"string"}"#, accepts: good.map { "\"\($0)\"" },
      acceptsOnlyFlexibly: spelled.map { "\"\($0)\"" },
      rejects: bad.flatMap { ["\"\($0)\"", "\"a\($0)a\""] } + ["'a'", "a", "\"a", "\"a\"a"])
    let grammar = try Grammar(jsonSchema: #"{"type":"string"}"#)
    for bytes: [UInt8] in [
      [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x98],
      [0xE5, 0xA4], [0xC3, 0xC3, 0xA9],
    ] {
      #expect(grammar.verdict([0x22] + bytes + [0x22]) != .whole, "\(bytes)")
    }
    var outputs = RandomOutputs(["type": "string"], seed: 10)
    for index in 0..<(isLongRun ? 10_000 : 150) {
      guard outputs.next(.small, index % 2 == 0 ? .canonical : .flexible) != nil else { return }
    }
  }

  @Test func s12DeepSchemasAndPatternsAreErrorsOrWork() throws {
    func nested(_ depth: Int) -> JSONValue {
      (0..<depth).reduce(["type": "null"]) { inner, _ in
        ["type": "object", "properties": ["a": inner], "required": ["a"]]
      }
    }
    let deep = [64, 400, 1_000].map(nested)
    let chain = JSONObject(
      (0..<5_000).map { ("s\($0)", ["$ref": .string("#/$defs/s\($0 + 1)")]) }
        + [("s5000", ["type": "null"])])
    let chained: JSONValue = ["$ref": "#/$defs/s0", "$defs": .object(chain)]
    func pattern(_ groups: Int) -> JSONValue {
      let text =
        String(repeating: "(", count: groups) + "a" + String(repeating: ")", count: groups)
      return ["type": "string", "pattern": .string("^\(text)$")]
    }
    let schemas = deep + [chained, pattern(250), pattern(60_000)]
    nonisolated(unsafe) var errors: [String?] = []
    onSmallStack {
      errors = schemas.map { (schema) -> String? in
        do throws(GrammarError) {
          _ = try Grammar(jsonSchema: schema).verdict(#"{"a": {"a"#)
          return nil
        } catch {
          return error.description
        }
      }
    }
    #expect(errors[0] == nil, "64 levels")
    #expect(errors[4] == nil, "250 groups")
    #expect(errors[2]?.contains("deep") == true, "1,000 levels: \(errors[2] ?? "compiled")")
    #expect(errors[5]?.contains("pattern") == true, "\(errors[5]?.prefix(300) ?? "compiled")")
    for message in errors { #expect((message ?? "").count < 1_000) }
    let text =
      String(repeating: #"{"type":"object","properties":{"a":"#, count: 10_000) + "true"
      + String(repeating: "}}", count: 10_000)
    #expect(refusal(of: text)?.description.contains("deep") == true)
  }

  @Test(arguments: [
    #"{"type":"string","pattern":"^a{2000000000,2147483647}$"}"#,
    #"{"type":"string","pattern":"^a{99999999999999999999999999}$"}"#,
    #"{"type":"string","pattern":"^((a{1000}){1000}){1000}$"}"#,
    #"{"type":"array","items":{"type":"null"},"minItems":2147483648}"#,
    #"{"type":"string","minLength":1000000000000000000}"#,
    #"{"type":"string","minLength":1e18}"#,
    #"{"type":"array","maxItems":-1}"#, #"{"type":"string","maxLength":-1}"#,
    #"{"type":"array","maxItems":9223372036854775807}"#,
    #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#,
    #"{"type":"number","minimum":-1.7976931348623157e308,"maximum":5e-324}"#,
  ])
  func s14HugeCountsCostNothing(_ schema: String) throws {
    let text = Array((#"["# + String(repeating: "null, ", count: 40)).utf8)
    let seconds = processorSeconds {
      if let grammar = try? Grammar(jsonSchema: schema) { _ = grammar.verdict(text) }
    }
    #expect(seconds < 0.05 * slowness)
  }

  @Test func s15LongArraysStayQuick() throws {
    let schema = #"{"type":"array","items":{"type":"number"},"minItems":10,"maxItems":1000}"#
    try expect(schema, accepts: [Self.array("1", 10)], rejects: [0, 9].map { Self.array("1", $0) })
    let grammar = try Grammar.canonical(schema)
    #expect(grammar.verdict(Self.array("1", 1_000)) == .whole)
    #expect(grammar.verdict(Self.array("1", 1_001)) != .whole)
    var matcher = GrammarMatcher(grammar, vocabulary: PieceVocabulary.small.trie)
    #expect(matcher.accept(bytes: "[1.5".utf8) == nil)
    func cost() -> Double {
      processorSeconds {
        for _ in 0..<20 { #expect(matcher.accept(bytes: ", 12.25".utf8) == nil) }
      }
    }
    let first = cost()
    for _ in 0..<20 { _ = cost() }
    #expect(cost() < 10 * first + 0.005)
  }

  @Test func s17NamesCanBeClosedOrAreUnreachable() throws {
    let schema = #"""
      {"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
      "additionalProperties":true}
      """#
    try expect(
      schema, accepts: [#"{"b": 1, "ab": 2}"#, #"{"b": 1, "": 2}"#, #"{"a": 1, "b": 1, "c": []}"#],
      rejects: [
        #"{"b": 1, "a": 2}"#, #"{"b": 1, "\u0061": 2}"#, #"{"c": 1, "b": "x"}"#,
        #"{"a": 1, "a": 2}"#, #"{"b": "x"}"#,
      ])
    // Whatever can be begun can be ended: from the late name on there is always a way.
    let grammar = try Grammar.canonical(schema)
    var matcher = GrammarMatcher(grammar, vocabulary: PieceVocabulary.bytes.trie)
    #expect(matcher.accept(bytes: #"{"b": 1, ""#.utf8) == nil)
    if matcher.accept(bytes: "a".utf8) == nil {
      #expect(matcher.accept(bytes: #"x": 0}"#.utf8) == nil)
      #expect(matcher.isComplete)
    }
    var outputs = RandomOutputs(try JSONValue(parsing: schema), seed: 17)
    for _ in 0..<(isLongRun ? 500 : 40) {
      guard outputs.next(.small, .canonical) != nil else { return }
    }
  }

  @Test func s19ExtraKeysOnlyWhereTheSchemaSaysSo() throws {
    let properties = #""type":"object","properties":{"a":{"type":"string"},"é\"":{"const":1}}"#
    try expect(
      "{\(properties)}", accepts: ["{}", #"{"a": ""}"#, #"{"a": "", "é\"": 1}"#],
      rejects: [#"{"b": 1}"#, #"{"a": "", "c": 1}"#, #"{"a": 1}"#])
    try expect(
      "{\(properties),\"additionalProperties\":true}",
      accepts: ["{}", #"{"a": "", "b": [{}]}"#, #"{"b": 1, "c": null}"#, #"{"x\"\n": {"a": 1}}"#],
      rejects: [#"{"a": 1}"#, #"{"b": 1, "a": 2}"#, #"{"b" 1}"#, #"{"é\"": 2}"#])
    try expect(
      "{\(properties),\"additionalProperties\":{\"type\":\"integer\"}}",
      accepts: [#"{"a": "x", "b": 5}"#, #"{"aa": 5, "é": -1}"#],
      rejects: [#"{"b": "5"}"#, #"{"b": 1.5}"#, #"{"b": 1, "a": 1}"#, #"{"\u0061": 1}"#])
  }

  @Test func s21EnumerationsHoldValuesOfAnyType() throws {
    try expect(
      #"{"enum":[1,null,"a b",true,1.5,{"k":[]}]}"#,
      accepts: ["1", "null", #""a b""#, "true", "1.5", #"{"k": []}"#],
      rejects: ["2", #""1""#, "false", "1.", "15", #"{"k": [1]}"#, "{}", #""a""#, #""a  b""#])
    try expect(
      #"{"enum":["\"","\\","\n","é","","e\u0301"]}"#,
      accepts: [#""\"""#, #""\\""#, #""\n""#, #""é""#, #""""#, "\"e\u{301}\""],
      rejects: [#"""""#, "\"\n\"", #""e""#])
    try expect(#"{"const":[1,{"a":"b"}]}"#, accepts: [#"[1, {"a": "b"}]"#], rejects: ["[1]", "[]"])
    #expect(refusal(of: #"{"enum":[]}"#)?.description.contains("enum") == true)
    #expect(refusal(of: #"{"enum":1}"#)?.description.contains("enum") == true)
  }
}
