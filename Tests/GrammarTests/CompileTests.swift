import Foundation
import Grammar
import JSON
import Testing

@Suite struct CompileTests {
  private func failure(_ schema: String) throws -> GrammarError {
    try #require(throws: GrammarError.self) { try Grammar(jsonSchema: schema) }
  }

  @Test(arguments: [
    (#"{"properties":{"a":{"pattern":"^a\\!$("}}}"#, "$.properties.a", "pattern"),
    (#"{"type":"strin"}"#, "$", "type"),
    (#"{"properties":{"n":{"minimum":"x"}}}"#, "$.properties.n", "minimum"),
    (#"{"enum":[]}"#, "$", "enum"),
    (#"{"maxItems":-1}"#, "$", "maxItems"),
    (#"{"minLength":1e18}"#, "$", "minLength"),
    (#"{"minItems":2147483648}"#, "$", "minItems"),
    (#"{"minLength":1.5}"#, "$", "minLength"),
    (#"{"multipleOf":0}"#, "$", "multipleOf"),
    (#"{"required":"a"}"#, "$", "required"),
    (#"{"properties":[]}"#, "$", "properties"),
    (#"{"properties":{"a":3}}"#, "$.properties.a", "properties"),
    (#"{"anyOf":{}}"#, "$", "anyOf"),
    (#"{"anyOf":[{"type":"string"},{"type":7}]}"#, "$.anyOf[1]", "type"),
    (#"{"$ref":5}"#, "$", "$ref"),
    (#"3"#, "$", "schema"),
  ])
  func wrongValuesAreNamedWithTheirPlace(schema: String, path: String, keyword: String) throws {
    let error = try failure(schema)
    guard case .malformed = error else {
      Issue.record("\(schema): \(error)")
      return
    }
    #expect(error.path == path)
    #expect(error.keyword == keyword)
    #expect(error.description.contains("'\(keyword)' at \(path)"))
    #expect(error.localizedDescription == error.description)
  }

  @Test(arguments: [
    (#"{"properties":{"a":{"not":{"type":"string"}}}}"#, "$.properties.a", "not"),
    (#"{"if":true,"then":false}"#, "$", "if"),
    (#"{"items":{"uniqueItems":true}}"#, "$.items", "uniqueItems"),
    (#"{"patternProperties":{"^a":{}}}"#, "$", "patternProperties"),
    (#"{"minProperties":1}"#, "$", "minProperties"),
    (#"{"contains":{}}"#, "$", "contains"),
    (#"{"propertyNames":{"maxLength":3}}"#, "$", "propertyNames"),
    (#"{"dependentRequired":{"a":["b"]}}"#, "$", "dependentRequired"),
    (#"{"pattern":"(?=a)"}"#, "$", "pattern"),
    (#"{"pattern":"^a{2000000000,2147483647}$"}"#, "$", "pattern"),
    (#"{"type":"number","multipleOf":0.1}"#, "$", "multipleOf"),
    (#"{"type":"integer","multipleOf":99991}"#, "$", "multipleOf"),
    (#"{"format":"uri-template"}"#, "$", "format"),
    (#"{"oneOf":[{"enum":[1,2]},{"enum":[2,3]}]}"#, "$", "oneOf"),
    (##"{"$dynamicRef":"#a"}"##, "$", "$dynamicRef"),
  ])
  func whatCannotBeKeptIsRefused(schema: String, path: String, keyword: String) throws {
    let error = try failure(schema)
    guard case .unsupported = error else {
      Issue.record("\(schema): \(error)")
      return
    }
    #expect(error.path == path)
    #expect(error.keyword == keyword)
  }

  @Test(arguments: [
    "false", #"{"minItems":3,"maxItems":2}"#, #"{"minimum":3,"exclusiveMaximum":3}"#,
    #"{"type":"integer","minimum":0.1,"maximum":0.9}"#,
    #"{"properties":{"a":false},"required":["a"]}"#,
    #"{"allOf":[{"type":"string"},{"type":"null"}]}"#,
    #"{"properties":{"a":{}},"additionalProperties":false,"required":["b"]}"#,
    ##"{"properties":{"next":{"$ref":"#"}},"required":["next"]}"##,
    #"{"pattern":"^a{5}$","maxLength":3}"#, #"{"pattern":"^(aaa)*$","minLength":4,"maxLength":5}"#,
    #"{"pattern":"a^b"}"#, #"{"enum":[1,2],"type":"string"}"#, #"{"const":5,"maximum":4}"#,
    #"{"minLength":3,"maxLength":2}"#, #"{"prefixItems":[false],"minItems":1}"#,
    #"{"type":"integer","multipleOf":7,"minimum":1,"maximum":6}"#,
    ##"{"allOf":[{"const":1},{"enum":[2]}]}"##, ##"{"anyOf":[false,{"$ref":"#/anyOf/0"}]}"##,
  ])
  func whatNothingSatisfiesIsRefused(schema: String) throws {
    let error = try failure(schema)
    guard case .unsatisfiable = error else {
      Issue.record("\(schema): \(error)")
      return
    }
  }

  @Test(arguments: [
    ##"{"$ref":"#/$defs/missing"}"##, ##"{"$ref":"#"}"##, ##"{"$ref":"other.json"}"##,
    ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
    ##"{"allOf":[{"$ref":"#"}]}"##, ##"{"$ref":"#/%zz"}"##,
  ])
  func referencesToNothingAreNamed(schema: String) throws {
    let error = try failure(schema)
    guard case .unresolvedReference = error else {
      Issue.record("\(schema): \(error)")
      return
    }
  }

  @Test func textThatIsNotJSONIsRefused() throws {
    guard case .invalidJSON(let reason) = try failure("{bad json") else {
      Issue.record("no error about the JSON")
      return
    }
    #expect(reason.contains("line 1"))
  }

  @Test func deepSchemasAreCompiledUpToALimit() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: #"{"type":"object","properties":{"a":"#, count: depth) + "true"
        + String(repeating: "}}", count: depth)
    }
    #expect(accepts(try Grammar(jsonSchema: nested(64)), #"{"a":{"a":{}}}"#))
    #expect(throws: GrammarError.tooDeep(path: "$", limit: 1_024)) {
      try Grammar(jsonSchema: nested(10_000))
    }
    guard case .tooDeep(_, limit: 100) = try failure(nested(200)) else {
      Issue.record("200 levels are compiled")
      return
    }
    var value = JSONValue.bool(true)
    for _ in 0..<5_000 { value = ["properties": ["a": value]] }
    let deep = value
    #expect(throws: GrammarError.self) { try Grammar(jsonSchema: deep) }
  }

  @Test func aLongChainOfReferencesIsFollowed() throws {
    var definitions: JSONObject = ["d5000": ["type": "null"]]
    for index in 0..<5_000 { definitions["d\(index)"] = ["$ref": .string("#/$defs/d\(index + 1)")] }
    let grammar = try Grammar(jsonSchema: ["$ref": "#/$defs/d0", "$defs": .object(definitions)])
    #expect(accepts(grammar, "null"))
    #expect(!accepts(grammar, "1"))
  }

  @Test func aSmallStackIsEnough() async throws {
    // 512 KiB are what a thread gets on Apple's systems.
    var schema = "true"
    for index in 0..<90 {
      schema =
        index % 3 == 0
        ? #"{"anyOf":[{"type":"null"},\#(schema)]}"#
        : index % 3 == 1 ? #"{"items":\#(schema)}"# : #"{"properties":{"a":\#(schema)}}"#
    }
    let text = schema
    let pattern = String(repeating: "(", count: 400) + String(repeating: ")", count: 400)
    let compiled = await withCheckedContinuation { continuation in
      let thread = Thread {
        let first = (try? Grammar(jsonSchema: text)) != nil
        let second = (try? Grammar(jsonSchema: ["pattern": .string(pattern)])) != nil
        continuation.resume(returning: first && second)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(compiled)
  }

  @Test func keywordsThatSayNothingAreAllowed() throws {
    let schema = """
      {"$schema":"x","$id":"y","title":"t","description":"d","default":1,"examples":[],"x-mine":{},
      "uniqueItems":false,"minProperties":0,"patternProperties":{},"format":"int32","type":"integer",
      "unevaluatedProperties":false,"deprecated":true}
      """
    #expect(accepts(try Grammar(jsonSchema: schema), "12"))
  }
}
