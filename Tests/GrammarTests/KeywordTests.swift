import Grammar
import JSON
import Testing

/// What each keyword takes and refuses, in both kinds of whitespace and through masks.
@Suite struct KeywordTests {
  @Test func typesAreKept() throws {
    let samples = [
      "null": ["null"], "boolean": ["true", "false"], "integer": ["0", "-1", "42"],
      "number": ["0.5", "-12.25", "1e2", "7"], "string": [#""""#, #""1""#, #""null""#],
      "array": ["[]", "[1, [], {}]"], "object": ["{}", #"{"a": null}"#],
    ]
    for (name, good) in samples {
      let others = samples.filter { other, _ in
        other != name && !(name == "number" && other == "integer")
          && !(name == "integer" && other == "number")
      }
      try expect(
        #"{"type":"\#(name)"}"#, accepts: good,
        rejects: others.values.flatMap { $0 } + ["", "nul", "tru", "-", "[", "{"])
    }
    try expect(#"{"type":["integer","null"]}"#, accepts: ["3", "null"], rejects: ["true", #""""#])
    try expect(#"{"type":"integer"}"#, rejects: ["0.5", "01", "-01", "00", "+1", "1.", "-"])
    try expect(
      #"{"type":"number"}"#, accepts: ["0", "-0.5", "1.5e10", "123456789"],
      rejects: ["01", ".5", "1.", "+1", "1e", "0x1", "NaN", "Infinity", "1e400", "-1e999", "1_0"])
  }

  @Test(arguments: ["{}", "true"])
  func theEmptySchemaIsAnyJSON(_ schema: String) throws {
    try expect(
      schema,
      accepts: [
        "null", "true", "-1.5e3", #""x""#, "[]", "{}", #"{"a": [1, {"b": [[], {}]}], "c": "d"}"#,
      ],
      rejects: ["", "[1, ]", #"{"a"}"#, "{a: 1}", "[1 2]", "'x'", #"{"a": 1,}"#, "//", "nulll"])
  }

  @Test func blanksAreFreeOnlyInFlexibleMode() throws {
    let schema = #"{"type":"object","properties":{"a":{"type":"array"},"b":{}},"required":["a"]}"#
    let flexible = try Grammar(jsonSchema: schema)
    let canonical = try Grammar.canonical(schema)
    #expect(canonical.verdict(#"{"a": [1, 2], "b": {"c": 1}}"#) == .whole)
    for text in [
      #"{"a":[1,2],"b":{"c":1}}"#, #"{ "a" : [ 1 , 2 ] , "b" : { "c" : 1 } }"#,
      "{\n  \"a\": [\n    1,\n    2\n  ]\n}", "{\"a\": []}",
    ] {
      #expect(flexible.verdict(text) == .whole, "\(text)")
      #expect((canonical.verdict(text) == .whole) == (text == "{\"a\": []}"), "\(text)")
    }
    for text in ["{\u{A0}\"a\": []}", "{\"a\": []\u{0B}}", "{\"a\": [1 2]}"] {
      #expect(flexible.verdict(text) != .whole, "\(text)")
    }
  }

  // MARK: Numbers

  @Test func integerRangesHoldAtEveryBorder() throws {
    let ranges = [
      (0, 0), (0, 9), (1, 10), (0, 99), (5, 5), (-5, 5), (-10, -1), (-99, -10), (7, 123), (99, 101),
      (100, 200), (109, 110), (-1_000, 999), (995, 1_005), (-123, -120), (10, 19), (1, 1_000),
    ]
    for (low, high) in ranges {
      let grammar = try Grammar(
        jsonSchema: #"{"type":"integer","minimum":\#(low),"maximum":\#(high)}"#)
      let open = try Grammar.canonical(
        #"{"type":"integer","exclusiveMinimum":\#(low - 1),"exclusiveMaximum":\#(high + 1)}"#)
      var numbers: Set<Int> = [-1_001, 100, 111, 199, 1_000, 1_999]
      numbers.formUnion(-21...21)
      for base in [low, high, -low, -high, low * 10] { numbers.formUnion(base - 1...base + 1) }
      for number in numbers {
        let expected = (low...high).contains(number)
        #expect(
          (grammar.verdict("\(number)") == .whole) == expected, "\(number) in \(low)...\(high)")
        #expect((open.verdict("\(number)") == .whole) == expected, "\(number) in \(low)...\(high)")
      }
    }
  }

  @Test func halfOpenIntegerRangesHold() throws {
    for limit in [-100, -11, -10, -1, 0, 1, 9, 10, 99, 100, 12_345] {
      let least = try Grammar(jsonSchema: #"{"type":"integer","minimum":\#(limit)}"#)
      let most = try Grammar(jsonSchema: #"{"type":"integer","maximum":\#(limit)}"#)
      for number in [
        limit, limit + 1, limit - 1, limit * 10, -limit, 0, 1, -1, 1_000_000, -1_000_000,
      ] {
        #expect(
          (least.verdict("\(number)") == .whole) == (number >= limit), "\(number) >= \(limit)")
        #expect((most.verdict("\(number)") == .whole) == (number <= limit), "\(number) <= \(limit)")
      }
    }
    try expect(
      #"{"type":"integer","minimum":0.5,"maximum":2.5}"#, accepts: ["1", "2"], rejects: ["0", "3"])
    try expect(
      #"{"type":"integer","minimum":-2.5,"exclusiveMaximum":-0.5}"#, accepts: ["-2", "-1"],
      rejects: ["-3", "0"])
    try expect(
      #"{"type":"integer","minimum":1,"exclusiveMinimum":1,"maximum":3,"exclusiveMaximum":9}"#,
      accepts: ["2", "3"], rejects: ["1", "4"])
  }

  @Test func numberRangesHoldAtDecimalBorders() throws {
    let ranges: [(String, String)] = [
      ("0", "1"), ("0.1", "0.2"), ("-0.5", "0.5"), ("-1.25", "-0.75"), ("0.001", "0.0025"),
      ("9.99", "10.01"), ("-10", "100"), ("99.5", "100.5"), ("1.5", "1.5"), ("-100.01", "-99.99"),
      ("0.1", "123.456"), ("5", "7"),
    ]
    let digits = [
      "", ".0", ".1", ".5", ".25", ".75", ".01", ".99", ".001", ".0025", ".0026", ".456", ".4561",
    ]
    let samples = [
      "0", "1", "5", "7", "9", "10", "99", "100", "123",
    ]
    .flatMap { whole in digits.flatMap { [whole + $0, "-" + whole + $0] } }
    for (low, high) in ranges {
      for (least, most) in [("minimum", "maximum"), ("exclusiveMinimum", "exclusiveMaximum")]
      where low != high || least == "minimum" {
        let schema = #"{"type":"number","\#(least)":\#(low),"\#(most)":\#(high)}"#
        let grammar = try Grammar(jsonSchema: schema)
        let validator = SchemaValidator(try JSONValue(parsing: schema))
        for sample in samples {
          let isWhole = grammar.verdict(sample) == .whole
          let isValid = validator.fault(inText: Array(sample.utf8)) == nil
          // Minus zero may be left out.
          let isZero = sample.hasPrefix("-0") && !sample.contains { ("1"..."9").contains($0) }
          if isZero ? isWhole && !isValid : isWhole != isValid {
            Issue.record("\(sample) is \(isValid ? "" : "not ")in \(schema)")
          }
        }
      }
    }
  }

  @Test func longFractionsDoNotRoundOntoExcludedBounds() throws {
    for (schema, texts) in [
      (#"{"type":"number","exclusiveMaximum":0.3}"#, ["0.29999999999999999999", "0.3", "-0.3"]),
      (#"{"type":"number","exclusiveMinimum":1}"#, ["1.00000000000000000001", "1.0", "1.5"]),
      (#"{"type":"number","exclusiveMinimum":0}"#, ["0.0", "-0.0", "0.0000000001", "1e-400"]),
      (#"{"type":"number","minimum":0,"exclusiveMaximum":1}"#, ["0.99999999999999999999", "0.9"]),
      (#"{"type":"integer","exclusiveMaximum":9007199254740993}"#, ["9007199254740992"]),
      (#"{"type":"integer","maximum":9223372036854775807}"#, ["9223372036854775808"]),
    ] {
      let grammar = try Grammar(jsonSchema: schema)
      let validator = SchemaValidator(try JSONValue(parsing: schema))
      for text in texts where grammar.verdict(text) == .whole {
        #expect(validator.fault(inText: Array(text.utf8)) == nil, "\(text): \(schema)")
      }
    }
  }

  @Test func exponentsDoNotEscapeRanges() throws {
    for schema in [
      #"{"type":"number","minimum":0,"maximum":10}"#, #"{"type":"number","exclusiveMaximum":-0.5}"#,
      #"{"type":"number","minimum":100}"#, #"{"type":"integer","maximum":7}"#,
    ] {
      let grammar = try Grammar(jsonSchema: schema)
      let validator = SchemaValidator(try JSONValue(parsing: schema))
      for text in [
        "1e1", "1e2", "5E-1", "-1e3", "9.9e0", "100e-1", "1e+5", "0e9", "-5e-1", "-1e-5",
      ] {
        if grammar.verdict(text) == .whole {
          #expect(validator.fault(inText: Array(text.utf8)) == nil, "\(text): \(schema)")
        }
      }
    }
  }

  @Test func listedNumbersAreHeldToTheKeywordsBesideThem() throws {
    try expect(
      #"{"enum":[1,2.5,3,7,10,-5,"a"],"minimum":2,"exclusiveMaximum":10}"#,
      accepts: ["2.5", "3", "7", #""a""#], rejects: ["1", "10", "-5"])
    try expect(
      #"{"enum":[0,0.5,0.75,1.2,4],"multipleOf":0.25}"#, accepts: ["0", "0.5", "0.75", "4"],
      rejects: ["1.2"])
    try expect(#"{"enum":[10,15,20],"multipleOf":10}"#, accepts: ["10", "20"], rejects: ["15"])
  }

  // MARK: Strings

  @Test func lengthsCountScalars() throws {
    try expect(
      #"{"type":"string","minLength":2,"maxLength":3}"#,
      accepts: [#""ab""#, #""abc""#, #""é😀""#, #""\n\"""#, "\"e\u{301}\""],
      acceptsOnlyFlexibly: [#""\ud83d\ude00a""#],
      rejects: [#""""#, #""a""#, #""abcd""#, #""\u0041""#, #""😀""#, "\"e\u{301}e\u{301}\""])
    try expect(
      #"{"type":"string","maxLength":0}"#, accepts: [#""""#], rejects: [#""a""#, #""\n""#])
    try expect(#"{"type":"string","minLength":1}"#, accepts: [#""a""#], rejects: [#""""#])
  }

  @Test func patternsAreHeld() throws {
    let table: [(pattern: String, yes: [String], no: [String])] = [
      ("^a{2,3}$", ["aa", "aaa"], ["", "a", "aaaa", "ab", "baa"]),
      ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaaaa"], ["a", ""]),
      ("b", ["b", "abc", "bbb"], ["", "a", "B"]), ("^b", ["b", "bcd"], ["ab", ""]),
      ("b$", ["b", "aab"], ["ba", ""]), ("ab|cd", ["xaby", "cd"], ["a", "bc"]),
      ("^(ab|c)+$", ["ab", "cabc"], ["", "a", "abb"]),
      ("^(?:ab|c)*d?$", ["", "d", "abcd"], ["dd"]),
      ("^[a-c_-]+$", ["a-_", "cc"], ["d", "", "aé"]),
      ("^[^a-z]$", ["A", "é", "😀", "1"], ["a", "AA"]),
      ("^\\d{3}-\\d{4}$", ["555-0199"], ["5550199", "555-019", "٣٣٣-٣٣٣٣"]),
      ("^\\w+$", ["a_9Z"], ["a b", "é", ""]), ("^\\W\\D\\S$", [" a!", "é!."], ["a a", " 1!"]),
      ("^\\s$", [" "], ["a", ""]), ("^.$", ["a", "😀", "é"], ["", "ab"]),
      ("^\\u00e9\\x41$", ["éA"], ["eA", "é"]), ("^\\.\\*\\+\\?$", [".*+?"], ["a"]),
      ("^[\\]\\\\\\-]$", ["]", "-"], ["a"]), ("^a?b*c+$", ["c", "abbcc"], ["ab", "aac"]),
      ("^(a|ab)(c|bcd)$", ["ac", "abc", "abcd", "abbcd"], ["ab", "abd"]),
      ("^((a|b)*c|(d|e){2})$", ["c", "abac", "de"], ["d", "ab"]),
      ("^$", [""], ["a"]), ("", ["", "anything"], []), ("^é+😀?$", ["é", "éé😀"], ["", "😀", "e"]),
      ("^(1|2)x$", ["1x"], ["1", "x"]), ("^a|b$", ["axx", "xxb"], ["xax"]),
      ("^[0-9]{1,3}(\\.[0-9]{1,3}){3}$", ["1.22.333.4"], ["1.2.3", "1234.1.1.1"]),
    ]
    for (pattern, yes, no) in table {
      let schema: JSONValue = ["type": "string", "pattern": .string(pattern)]
      func quoted(_ text: String) -> String { JSONValue.string(text).text() }
      try expect(schema.text(), accepts: yes.map(quoted), rejects: no.map(quoted))
    }
    // What is written as an escape is matched as what it stands for.
    try expect(
      #"{"type":"string","pattern":"^[\n\"\\\\]é$"}"#,
      accepts: [#""\né""#, #""\"é""#, #""\\é""#],
      acceptsOnlyFlexibly: [#""\n\u00e9""#], rejects: [#""né""#, #""\né\n""#])
  }

  @Test(
    arguments: [
      (
        "date", ["2024-02-29", "1999-12-31", "2000-02-29"],
        [
          "2023-02-29", "2024-04-31", "2024-13-01", "2024-00-01", "2024-1-1", "1900-02-29",
          "24-01-01",
        ]
      ),
      (
        "time", ["12:00:00Z", "23:59:59+01:00"],
        ["24:00:00Z", "12:60:00Z", "12:00Z", "1:00:00Z", "12:00:61Z"]
      ),
      (
        "date-time", ["2024-02-29T12:00:00Z", "2024-12-31T23:59:59.5-08:00"],
        ["2024-02-30T12:00:00Z", "2024-02-29", "2024-02-29 12:00", "2024-02-29T12:00:00"]
      ),
      (
        "uuid", ["123e4567-e89b-12d3-a456-426614174000"],
        [
          "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400",
          "g23e4567-e89b-12d3-a456-426614174000", "",
        ]
      ),
      (
        "email", ["a@b.co", "first.last@mail.example"],
        ["", "a", "@b", "a@", "a b@c.de", "a..b@c.de", "a@-b.de"]
      ),
    ] as [(String, [String], [String])])
  func formatsAreHeld(_ format: String, _ yes: [String], _ no: [String]) throws {
    try expect(
      #"{"type":"string","format":"\#(format)"}"#, accepts: yes.map { "\"\($0)\"" },
      rejects: no.map { "\"\($0)\"" })
  }

  // MARK: Arrays and objects

  @Test func arraysKeepTheirBounds() throws {
    try expect(
      #"{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":3}"#,
      accepts: ["[true]", "[true, false, true]"],
      rejects: ["[]", "[true, true, true, true]", "[1]", "[true", "[true, ]", "[, true]"])
    try expect(#"{"type":"array","maxItems":0}"#, accepts: ["[]"], rejects: ["[1]"])
    try expect(#"{"type":"array","items":false}"#, accepts: ["[]"], rejects: ["[1]", "[null]"])
    try expect(
      #"{"type":"array","items":{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":2}}"#,
      accepts: ["[]", "[[1, 2], [3, 4]]"], rejects: ["[[1]]", "[1, 2]", "[[1, 2, 3]]"])
  }

  @Test func firstItemsHaveTheirOwnSchemas() throws {
    try expect(
      #"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}"#,
      accepts: [#"["a", 1]"#], rejects: [#"["a", 1, 2]"#, "[1]", #"["a", "b"]"#])
    try expect(
      #"""
      {"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],
      "items":{"type":"null"},"minItems":2,"maxItems":4}
      """#,
      accepts: [#"["a", 1]"#, #"["a", 1, null, null]"#],
      rejects: ["[]", #"["a"]"#, #"["a", 1, 2]"#, #"["a", 1, null, null, null]"#])
    // Older drafts list them under "items".
    let listed = try Grammar(jsonSchema: #"{"type":"array","items":[{"const":1},{"const":2}]}"#)
    #expect(listed.verdict("[1, 2]") == .whole && listed.verdict("[2]") != .whole)
    try expect(
      #"{"type":"array","prefixItems":[{"const":1},{"const":2}],"minItems":2,"maxItems":2}"#,
      accepts: ["[1, 2]"], rejects: ["[1]", "[2, 1]", "[1, 2, 3]"])
  }

  @Test func requiredNamesAreThereAndOptionalOnesMayBe() throws {
    let schema = #"""
      {"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"},"c":{"type":"null"},
      "d":{"type":"null"}},"required":["d","b"],"additionalProperties":false}
      """#
    let names = ["a", "b", "c", "d"]
    var good: [String] = []
    var bad: [String] = ["{}", #"{"b": null, "d": null, }"#, #"{, "b": null, "d": null}"#]
    for bits in 1..<16 {
      let chosen = names.indices.filter { bits >> $0 & 1 == 1 }.map { "\"\(names[$0])\": null" }
      let text = "{\(chosen.joined(separator: ", "))}"
      if bits & 0b1010 == 0b1010 { good.append(text) } else { bad.append(text) }
    }
    try expect(schema, accepts: good, rejects: bad)
  }

  @Test func namesAreBytesNotGlyphs() throws {
    let schema: JSONValue = [
      "type": "object",
      "properties": ["é": ["const": 1], "e\u{301}": ["const": 2], "a\"b\\\n": ["const": 3]],
      "required": ["é", "e\u{301}", "a\"b\\\n"],
    ]
    try expect(
      schema.text(), accepts: ["{\"é\": 1, \"e\u{301}\": 2, \"a\\\"b\\\\\\n\": 3}"],
      rejects: ["{\"é\": 1, \"é\": 2, \"a\\\"b\\\\\\n\": 3}", "{\"é\": 1, \"e\u{301}\": 2}"])
  }

  @Test func aRequiredNameNeedsNoSchema() throws {
    let schema = #"{"type":"object","properties":{"a":{"type":"null"}},"required":["a","z"]}"#
    guard let grammar = try? Grammar(jsonSchema: schema) else {
      #expect(refusal(of: schema)?.description.contains("required") == true)
      return
    }
    #expect(grammar.verdict(#"{"a": null, "z": 1}"#) == .whole)
    #expect(grammar.verdict(#"{"a": null}"#) != .whole)
  }

  // MARK: Combinations

  @Test func referencesMayRecur() throws {
    try expect(
      ##"""
      {"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"v":{"type":"integer"},
      "kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["v"]}}}
      """##,
      accepts: [#"{"v": 1}"#, #"{"v": 1, "kids": [{"v": 2, "kids": []}, {"v": 3}]}"#],
      rejects: [#"{"v": 1, "kids": [2]}"#, #"{"v": 1, "kids": [{}]}"#])
    try expect(
      ##"{"type":"object","properties":{"next":{"$ref":"#"}}}"##,
      accepts: ["{}", #"{"next": {"next": {"next": {}}}}"#], rejects: [#"{"next": 1}"#])
    try expect(
      ##"{"properties":{"a b":{"const":1},"c":{"$ref":"#/properties/a%20b"}},"type":"object"}"##,
      accepts: [#"{"a b": 1, "c": 1}"#], rejects: [#"{"c": 2}"#])
    try expect(
      ##"{"$defs":{"x/y~z":{"type":"null"}},"$ref":"#/$defs/x~1y~0z"}"##, accepts: ["null"],
      rejects: ["1"])
    try expect(
      ##"{"definitions":{"n":{"enum":["k"]}},"type":"array","items":{"$ref":"#/definitions/n"}}"##,
      accepts: [#"["k", "k"]"#], rejects: [#"["j"]"#])
  }

  @Test func deepAnswersToRecursiveSchemasAreMatched() throws {
    let grammar = try Grammar(jsonSchema: ##"{"type":"array","items":{"$ref":"#"}}"##)
    let depth = 50
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(grammar.verdict(text) == .whole)
    #expect(grammar.verdict(text + "]") != .whole)
    #expect(grammar.verdict(String(text.dropLast())) == .unfinished)
  }

  @Test func partsOfAllOfHoldTogether() throws {
    try expect(
      #"{"allOf":[{"type":"string"}],"description":"d"}"#, accepts: [#""a""#], rejects: ["1"])
    try expect(
      #"{"allOf":[{"type":"integer","minimum":2},{"maximum":4}]}"#, accepts: ["2", "3", "4"],
      rejects: ["1", "5"])
    try expect(
      #"""
      {"allOf":[{"type":"object","properties":{"a":{"type":"null"}},"required":["a"]},
      {"type":"object","properties":{"b":{"type":"null"}},"required":["b"]}]}
      """#,
      accepts: [#"{"a": null, "b": null}"#], rejects: [#"{"a": null}"#, #"{"b": null}"#, "{}"])
  }

  @Test func branchesWithCommonBeginningsStayApart() throws {
    try expect(
      #"""
      {"anyOf":[{"type":"object","properties":{"kind":{"const":"dot"},"x":{"type":"integer"}},
      "required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"door"},
      "open":{"type":"boolean"}},"required":["kind","open"]}]}
      """#,
      accepts: [#"{"kind": "dot", "x": 1}"#, #"{"kind": "door", "open": true}"#],
      rejects: [
        #"{"kind": "dot", "open": true}"#, #"{"kind": "door", "x": 1}"#, #"{"kind": "do"}"#,
      ])
    try expect(
      #"{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"array","items":{"type":"null"}}]}"#,
      accepts: ["[]", "[1, 2]", "[null, null]"], rejects: ["[1, null]", "[null, 1]"])
    try expect(#"{"anyOf":[false,{"const":1}]}"#, accepts: ["1"], rejects: ["2"])
  }

  @Test func siblingsOfCombinationsHold() throws {
    let schemas = [
      (
        #"{"type":"integer","anyOf":[{"minimum":10},{"maximum":-10}]}"#, ["10", "-10"], ["0", "9"]
      ),
      (#"{"type":"string","enum":["a",1,"bb"],"maxLength":1}"#, [#""a""#], ["1", #""bb""#]),
      (
        ##"{"$ref":"#/$defs/i","maximum":3,"$defs":{"i":{"type":"integer","minimum":1}}}"##,
        ["1", "3"], ["0", "4"]
      ),
    ]
    for (schema, yes, no) in schemas {
      try expect(schema, accepts: yes, rejects: no)
    }
  }

  @Test func annotationsSayNothing() throws {
    try expect(
      #"""
      {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:x","$comment":"c",
      "title":"t","description":"d","default":5,"examples":[1],"deprecated":true,"readOnly":true,
      "type":"boolean"}
      """#, accepts: ["true"], rejects: ["5"])
    // Formats that JSON Schema does not define are notes, too.
    try expect(#"{"type":"string","format":"color"}"#, accepts: [#""red""#], rejects: ["1"])
  }
}
