import JSON
import Testing
import ToolCalls

@Suite struct CoercionTests {
  private func coerced(_ value: JSONValue, _ schema: JSONValue) -> JSONValue? {
    ToolSignatures(tools: [tool("f", ["a": schema])])
      .coerced(ToolCall(name: "f", arguments: ["a": value])).arguments["a"]
  }

  @Test(
    arguments: [
      ("5", "integer", 5), ("-3", "integer", -3), ("5.0", "integer", 5), (5.0, "integer", 5),
      (" 5 ", "integer", 5), (5, "number", 5.0), ("5", "number", 5.0), ("2.5", "number", 2.5),
      ("true", "boolean", true), ("False", "boolean", false), ("null", "null", nil),
      ("None", "null", nil), (7, "string", "7"), ("[1, 2]", "array", [1, 2]),
      ("{'a': 1}", "object", ["a": 1]),
    ] as [(JSONValue, JSONValue, JSONValue)])
  func valuesBecomeTheDeclaredType(_ value: JSONValue, _ type: JSONValue, _ expected: JSONValue) {
    #expect(coerced(value, ["type": type]) == expected)
  }

  @Test(
    arguments: [
      ("5.5", "integer"), (5.5, "integer"), ("5kg", "integer"), ("1e400", "number"), ("", "number"),
      (true, "integer"), (1, "boolean"), ("yes", "boolean"), ("1", "boolean"), ("", "null"),
      (1.5, "string"), (true, "string"), (nil, "string"), ("a", "array"), (1, "array"),
      ("[1", "array"), ("[1]", "object"), (nil, "integer"), (9007199254740993, "number"),
      (1e300, "integer"), ("x", "unheard-of"), (1, 7),
    ] as [(JSONValue, JSONValue)])
  func whatWouldLoseSomethingStays(_ value: JSONValue, _ type: JSONValue) {
    #expect(coerced(value, ["type": type]) == value)
  }

  @Test func partsAreCoercedWhereverTheyAre() {
    #expect(coerced(["1", 2], ["type": "array", "items": ["type": "integer"]]) == [1, 2])
    #expect(
      coerced(
        ["1", "2", "3"],
        ["type": "array", "prefixItems": [["type": "string"]], "items": ["type": "integer"]])
        == ["1", 2, 3])
    #expect(
      coerced(
        ["n": "1", "more": "2", "o": ["d": 1]],
        [
          "type": "object",
          "properties": [
            "n": ["type": "integer"],
            "o": ["type": "object", "properties": ["d": ["type": "number"]]],
          ], "additionalProperties": ["type": "integer"],
        ]) == ["n": 1, "more": 2, "o": ["d": 1.0]])
    #expect(coerced("[\"1\"]", ["type": "array", "items": ["type": "integer"]]) == [1])
    #expect(coerced(["n": "1"], ["properties": ["n": ["type": "integer"]]]) == ["n": 1])
  }

  @Test func ofSeveralTypesTheOneThatFitsStays() {
    #expect(coerced("5", ["type": ["string", "integer"]]) == "5")
    #expect(coerced(5, ["type": ["integer", "number"]]) == 5)
    #expect(coerced(5, ["type": ["string", "number"]]) == 5.0)
    #expect(coerced("5", ["type": ["integer", "null"]]) == 5)
    #expect(coerced("null", ["type": ["integer", "null"]]) == JSONValue.null)
    #expect(coerced("null", ["type": "integer", "nullable": true]) == JSONValue.null)
    #expect(coerced(nil, ["type": "integer", "nullable": true]) == JSONValue.null)
    for key in ["anyOf", "oneOf"] {
      func union(_ alternatives: JSONValue...) -> JSONValue { [key: .array(alternatives)] }
      #expect(coerced("5", union(["type": "integer"], ["type": "string"])) == "5")
      #expect(coerced("5", union(["type": "integer"], ["type": "null"])) == 5)
      #expect(coerced(5, union(["type": "string"], ["type": "number"])) == 5.0)
      #expect(coerced("x", union(["type": "integer"], ["type": "null"])) == "x")
      #expect(
        coerced("x", union(["type": "integer"], [key: [["type": "null"], ["type": "string"]]]))
          == "x")
      #expect(
        coerced(["1"], union(["type": "string"], ["type": "array", "items": ["type": "integer"]]))
          == [1])
    }
  }

  @Test func choicesAreFoundBehindQuotesBlanksAndOtherTypes() {
    let words: JSONValue = ["type": "string", "enum": ["a", "'b'"]]
    #expect(coerced("a", words) == "a")
    #expect(coerced(" 'a' ", words) == "a")
    #expect(coerced("'b'", words) == "'b'")
    #expect(coerced("'c'", words) == "'c'")
    #expect(coerced("'", words) == "'")
    #expect(coerced("'a'", ["type": "string"]) == "'a'")
    #expect(coerced("2", ["enum": [1, 2]]) == 2)
    #expect(coerced(2.0, ["enum": [1, 2]]) == 2)
    #expect(coerced(2, ["enum": ["1", "2"]]) == "2")
    #expect(coerced(2, ["type": "number", "enum": [1, 2]]) == 2.0)
    #expect(coerced("True", ["const": true]) == true)
  }

  @Test func toolsAreTakenWithAndWithoutWrapper() {
    let function = tool("f", ["a": ["type": "integer"]])
    for tools in [[function], [["type": "function", "function": function]]] as [[JSONValue]] {
      let call = ToolSignatures(tools: tools).coerced(ToolCall(name: "f", arguments: ["a": "1"]))
      #expect(call.arguments == ["a": 1])
    }
    let odd = ToolSignatures(tools: [1, [:], ["name": "f"], ["name": "g", "parameters": 1]])
    for name in ["f", "g", "h"] {
      let call = ToolCall(name: name, arguments: ["a": "1"])
      #expect(odd.coerced(call) == call)
    }
  }
}
