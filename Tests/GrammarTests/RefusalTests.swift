import Foundation
import Grammar
import JSON
import TestSupport
import Testing

/// What cannot be held is refused before the first token, by its place and keyword.
@Suite struct RefusalTests {
  /// A keyword that may be unsupported: then it is named, else it is held.
  @Test(
    arguments: [
      ("not", #""not":{"type":"string"}"#, ["1"], [#""a""#]),
      (
        "if", #""type":"integer","if":{"minimum":5},"then":{"multipleOf":5},"else":{"const":1}"#,
        ["10", "1"], ["6", "2"]
      ),
      (
        "dependentRequired",
        #""type":"object","properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}"#, ["{}"],
        [#"{"a": 1}"#]
      ),
      (
        "dependentSchemas",
        #""type":"object","properties":{"a":{},"b":{}},"dependentSchemas":{"a":{"required":["b"]}}"#,
        ["{}"], [#"{"a": 1}"#]
      ),
      (
        "patternProperties", #""type":"object","patternProperties":{"^x":{"type":"null"}}"#,
        [#"{"x": null}"#], [#"{"x": 1}"#]
      ),
      (
        "propertyNames",
        #""type":"object","additionalProperties":true,"propertyNames":{"maxLength":2}"#,
        [#"{"ab": 1}"#], [#"{"abc": 1}"#]
      ),
      (
        "minProperties", #""type":"object","additionalProperties":true,"minProperties":1"#,
        [#"{"a": 1}"#], ["{}"]
      ),
      (
        "maxProperties", #""type":"object","additionalProperties":true,"maxProperties":1"#,
        [#"{"a": 1}"#], [#"{"a": 1, "b": 1}"#]
      ),
      ("uniqueItems", #""type":"array","uniqueItems":true"#, ["[1, 2]"], ["[1, 1]"]),
      ("contains", #""type":"array","contains":{"const":1}"#, ["[1]", "[2, 1]"], ["[]", "[2]"]),
      ("multipleOf", #""type":"integer","multipleOf":7"#, ["0", "14", "-7"], ["1", "15"]),
      ("multipleOf", #""type":"number","multipleOf":0.25"#, ["0.5", "1"], ["0.3"]),
      (
        "unevaluatedProperties",
        #""type":"object","properties":{"a":{}},"unevaluatedProperties":{"type":"null"}"#,
        [#"{"a": 1}"#], [#"{"b": 1}"#]
      ),
      (
        "unevaluatedItems", #""type":"array","prefixItems":[{}],"unevaluatedItems":false"#, ["[1]"],
        ["[1, 2]"]
      ),
      (
        "format", #""type":"string","format":"ipv4""#, [#""10.0.0.1""#],
        [#""10.0.0.256""#, #""a""#]
      ),
      ("format", #""type":"string","format":"ipv6""#, [#""::1""#], [#""1:2""#, #""::g""#]),
      ("format", #""type":"string","format":"hostname""#, [#""a.b""#], [#""-a""#, #""a b""#]),
      ("format", #""type":"string","format":"uri""#, [#""https://a.b/c""#], [#""a b""#]),
      ("format", #""type":"string","format":"duration""#, [#""P1D""#], [#""1D""#, #""P""#]),
      ("$ref", #""$ref":"https://example.com/schema.json""#, [], ["1"]),
      ("$dynamicRef", ##""$dynamicRef":"#node""##, [], ["1"]),
      ("pattern", #""type":"string","pattern":"^(?=a)..$""#, [#""ab""#], [#""ba""#]),
      ("pattern", #""type":"string","pattern":"^(?!a).$""#, [#""b""#], [#""a""#]),
      ("pattern", #""type":"string","pattern":"^(a|b)\\1$""#, [#""aa""#], [#""ab""#]),
      ("pattern", #""type":"string","pattern":"\\bcat\\b""#, [#""a cat""#], [#""cats""#]),
      ("pattern", #""type":"string","pattern":"^\\p{Lu}$""#, [#""É""#], [#""é""#]),
      (
        "pattern", #""type":"string","minLength":2,"maxLength":3,"pattern":"^a*$""#, [#""aa""#],
        [#""a""#, #""aaaa""#]
      ),
      (
        "format", #""type":"string","format":"date","pattern":"^2024""#, [#""2024-01-01""#],
        [#""2023-01-01""#]
      ),
    ] as [(String, String, [String], [String])])
  func keywordsAreRefusedOrHeld(
    _ keyword: String, _ body: String, _ good: [String], _ bad: [String]
  ) throws {
    let nested = #"{"type":"object","properties":{"p":{\#(body)}},"required":["p"]}"#
    do {
      let grammar = try Grammar(jsonSchema: "{\(body)}")
      for text in good { #expect(grammar.verdict(text) == .whole, "\(text): \(body)") }
      for text in bad { #expect(grammar.verdict(text) != .whole, "\(text): \(body)") }
      let inner = try Grammar.canonical(nested)
      for text in bad { #expect(inner.verdict("{\"p\": \(text)}") != .whole, "\(text): \(body)") }
    } catch {
      #expect(error.description.contains(keyword), "\(error)")
      let message = try #require(refusal(of: nested)).description
      #expect(message.contains(keyword) && message.contains("$.properties.p"), "\(message)")
    }
  }

  @Test(arguments: [
    ("5", "$"), ("\"x\"", "$"), ("null", "$"), ("[]", "$"), (#"{"type":1}"#, "type"),
    (#"{"type":[]}"#, "type"), (#"{"type":["string","strin"]}"#, "type"),
    (#"{"type":null}"#, "type"),
    (#"{"type":"object","properties":[]}"#, "properties"),
    (#"{"type":"object","properties":{"a":1}}"#, "$.properties.a"),
    (#"{"type":"object","properties":{"a":"string"}}"#, "$.properties.a"),
    (#"{"type":"object","properties":{},"required":"a"}"#, "required"),
    (#"{"type":"object","properties":{},"required":[1]}"#, "required"),
    (#"{"type":"object","additionalProperties":5}"#, "additionalProperties"),
    (#"{"type":"array","items":"x"}"#, "items"),
    (#"{"type":"array","prefixItems":{}}"#, "prefixItems"),
    (#"{"type":"array","prefixItems":[1]}"#, "prefixItems"),
    (#"{"type":"array","minItems":"1"}"#, "minItems"),
    (#"{"type":"array","minItems":-1}"#, "minItems"),
    (#"{"type":"array","minItems":1.5}"#, "minItems"),
    (#"{"type":"array","maxItems":null}"#, "maxItems"),
    (#"{"type":"string","minLength":[]}"#, "minLength"),
    (#"{"type":"string","maxLength":true}"#, "maxLength"),
    (#"{"type":"string","maxLength":-5}"#, "maxLength"),
    (#"{"enum":{}}"#, "enum"), (#"{"enum":[]}"#, "enum"), (#"{"anyOf":[]}"#, "anyOf"),
    (#"{"anyOf":{}}"#, "anyOf"), (#"{"oneOf":[5]}"#, "oneOf"), (#"{"allOf":[1]}"#, "allOf"),
    (#"{"allOf":"x"}"#, "allOf"), (#"{"$ref":5}"#, "$ref"), (##"{"$ref":"#/nope"}"##, "$ref"),
    (##"{"$ref":"#/$defs/x","$defs":{}}"##, "$ref"),
    (##"{"$ref":"#/$defs/x","$defs":{"x":7}}"##, "x"),
    (#"{"$ref":"other.json"}"#, "$ref"), (#"{"type":"string","pattern":5}"#, "pattern"),
    (#"{"type":"string","pattern":"("}"#, "pattern"),
    (#"{"type":"string","pattern":"a)"}"#, "pattern"),
    (#"{"type":"string","pattern":"[z-a]"}"#, "pattern"),
    (#"{"type":"string","pattern":"[a"}"#, "pattern"),
    (#"{"type":"string","pattern":"a**"}"#, "pattern"),
    (#"{"type":"string","pattern":"*a"}"#, "pattern"),
    (#"{"type":"string","pattern":"a{3,2}"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\u12"}"#, "pattern"),
    (#"{"type":"string","pattern":"(?"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\x"}"#, "pattern"),
    (#"{"type":"string","pattern":"(?<n"}"#, "pattern"),
    (#"{"type":"string","pattern":"[a-\\d]"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\c1"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\a"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\u{110000}"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\ud83d"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\ud83d\\u0041"}"#, "pattern"),
    (#"{"type":"string","pattern":"\\ude00"}"#, "pattern"),
    (#"{"enum":[[1],{}],"minItems":1}"#, "enum"),
    (#"{"type":"string","format":5}"#, "format"),
    (#"{"type":"integer","minimum":true}"#, "minimum"),
    (#"{"type":"number","maximum":"1"}"#, "maximum"),
    (#"{"type":"number","exclusiveMinimum":true}"#, "exclusiveMinimum"),
  ])
  func malformedSchemasAreRefused(_ schema: String, _ expected: String) throws {
    let message = try #require(refusal(of: schema)).description
    #expect(message.contains(expected), "\(message)")
    #expect(!message.contains("\n") && message.hasSuffix("."), "\(message)")
  }

  @Test(arguments: [
    "false", #"{"type":"string","minLength":5,"maxLength":2}"#,
    #"{"type":"integer","minimum":5,"maximum":2}"#,
    #"{"type":"integer","minimum":0.2,"maximum":0.8}"#,
    #"{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}"#,
    #"{"type":"number","exclusiveMinimum":1,"maximum":1}"#,
    #"{"type":"array","minItems":3,"maxItems":2}"#,
    #"{"type":"array","prefixItems":[{},{}],"items":false,"minItems":3}"#,
    #"{"type":"array","items":false,"minItems":1}"#,
    #"{"type":"object","properties":{"a":false},"required":["a"]}"#,
    #"{"type":"string","enum":[1]}"#, #"{"allOf":[{"type":"string"},{"type":"null"}]}"#,
    #"{"anyOf":[false]}"#, ##"{"$ref":"#"}"##,
    ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
    ##"{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}"##,
    ##"{"anyOf":[{"$ref":"#"}]}"##, ##"{"type":"array","items":{"$ref":"#"},"minItems":1}"##,
    #"{"type":"string","pattern":"a^"}"#, #"{"type":"string","pattern":"^[^\\s\\S]$"}"#,
    #"{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":0}},"required":["a"]}"#,
  ])
  func schemasThatNothingSatisfiesAreRefused(_ schema: String) throws {
    let message = try #require(refusal(of: schema)).description
    #expect(message.contains("$"), "\(message)")
  }

  @Test func whatWouldTakeTooMuchIsRefused() {
    let branches = (0..<2_001).map { "{\"const\":\($0)}" }.joined(separator: ",")
    let items = Array(repeating: "{}", count: 10_001).joined(separator: ",")
    let pairs = (0..<20).map { "{\"anyOf\":[{\"minLength\":\($0)},{\"maxLength\":\(99 - $0)}]}" }
      .joined(separator: ",")
    for schema in [
      "{\"anyOf\":[\(branches)]}", "{\"type\":\"array\",\"prefixItems\":[\(items)]}",
      "{\"type\":\"string\",\"allOf\":[\(pairs)]}",
      #"{"allOf":[{"pattern":"^(a{199})*$"},{"pattern":"^(a{211})*$"}],"type":"string"}"#,
      #"{"type":"string","pattern":"^(a{4093})*$","minLength":5000}"#,
      #"{"type":"integer","minimum":1e30}"#,
    ] {
      var message = ""
      var seconds = Double.infinity
      // A neighbour on the same core slows the processor's own time too; the schema does so always.
      for _ in 0..<3 where seconds >= 0.1 * slowness {
        seconds = processorSeconds { message = refusal(of: schema)?.description ?? "" }
      }
      #expect(message.contains("$") && message.hasSuffix("."), "\(message)")
      #expect(seconds < 0.1 * slowness, "\(schema.prefix(60)) took \(seconds) s")
    }
  }

  @Test func whatIsOptionalMayBeImpossible() throws {
    try expect(
      ##"{"type":"object","properties":{"a":false,"b":{"const":1}}}"##,
      accepts: ["{}", #"{"b": 1}"#], rejects: [#"{"a": 1}"#])
    try expect(#"{"type":"array","items":false}"#, accepts: ["[]"], rejects: ["[1]"])
    try expect(
      ##"""
      {"type":"object","properties":{"loop":{"$ref":"#/$defs/l"},"b":{}},"$defs":{"l":
      {"type":"object","properties":{"l":{"$ref":"#/$defs/l"}},"required":["l"]}}}
      """##, accepts: ["{}", #"{"b": 1}"#], rejects: [#"{"loop": {}}"#])
  }

  @Test func refusalsAreQuickAndNeedLittleStack() {
    let hostile = [
      String(repeating: "[", count: 100_000), String(repeating: #"{"items":"#, count: 400),
      #"{"type":"string","pattern":""# + String(repeating: "(a|b)*", count: 5_000) + #""}"#,
      #"{"type":"string","pattern":""# + String(repeating: "(", count: 9_000) + #""}"#,
      #"{"type":"string","pattern":"^"# + String(repeating: "(a?){30}", count: 30) + #"$"}"#,
      #"{"type":"string","pattern":"(((((a{9}){9}){9}){9}){9}){9}"}"#,
      #"{"enum":["# + String(repeating: "[[[1]]],", count: 20_000) + "1]}",
      #"{"anyOf":["# + String(repeating: #"{"anyOf":["#, count: 200),
      #"{"type":"object","properties":{"#
        + (0..<3_000).map { "\"p\($0)\":{}" }.joined(separator: ",")
        + "}}",
      ##"{"$defs":{"##
        + (0..<300).map { i in
          "\"d\(i)\":{\"allOf\":[{\"$ref\":\"#/$defs/d\(i + 1)\"},{\"$ref\":\"#/$defs/d\(i + 1)\"}]}"
        }.joined(separator: ",") + ##","d300":{}},"$ref":"#/$defs/d0"}"##,
    ]
    onSmallStack {
      for schema in hostile {
        let seconds = processorSeconds {
          if let grammar = try? Grammar(jsonSchema: schema) { _ = grammar.verdict(#"["aab"#) }
        }
        #expect(seconds < 0.1 * slowness, "\(schema.prefix(60)) took \(seconds) s")
      }
    }
  }
}
