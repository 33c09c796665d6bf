import JSON
import Testing

@testable import LeapSDK

@Suite struct LeapFunctionTests {
  @Test func aFunctionBecomesAJSONSchemaInTheOrderOfItsParameters() {
    let function = LeapFunction(
      name: "get_weather", description: "Get the weather",
      parameters: [
        LeapFunctionParameter(
          name: "zeta", type: .string(StringType(enumValues: ["a", "b"], description: "hidden")),
          description: "shown"),
        LeapFunctionParameter(
          name: "alpha", description: "A list", type: .array(.integer), required: false),
        LeapFunctionParameter(
          name: "unit", description: "", type: .string, required: true, enumValues: ["c", "f"]),
      ])
    #expect(
      function.toolJSON.text(style: .compact)
        == #"{"type":"function","function":{"name":"get_weather","description":"Get the weather","#
        + #""parameters":{"type":"object","properties":{"#
        + #""zeta":{"type":"string","description":"shown","enum":["a","b"]},"#
        + #""alpha":{"type":"array","items":{"type":"integer"},"description":"A list"},"#
        + #""unit":{"type":"string","enum":["c","f"]}},"required":["zeta","unit"]}}}"#)
  }

  @Test func objectsAreRenderedTheSameInEveryRun() {
    let type = LeapFunctionParameterType.object(
      ObjectType(
        properties: ["b": .number, "a": .boolean, "c": .null], required: ["a"],
        description: "nested"))
    #expect(
      JSONValue.object(type.schema).text()
        == #"{"type":"object","description":"nested","properties":{"a":{"type":"boolean"},"#
        + #""b":{"type":"number"},"c":{"type":"null"}},"required":["a"]}"#)
  }

  @Test func argumentsArePlainSwiftValues() {
    let call = LeapFunctionCall(
      name: "f",
      json: [
        "s": "x", "n": 1, "d": 1.5, "ok": true, "none": nil, "list": ["a", "b"], "o": ["k": 2],
      ])
    #expect(call.arguments["s"] as? String == "x")
    #expect(call.arguments["n"] as? Int == 1)
    #expect(call.arguments["d"] as? Double == 1.5)
    #expect(call.arguments["ok"] as? Bool == true)
    #expect(call.arguments["none"] as? String ?? "Unknown" == "Unknown")
    #expect(call.arguments.keys.contains("none"))
    #expect(call.arguments["list"] as? [String] == ["a", "b"])
    #expect((call.arguments["o"] as? [String: Any?])?["k"] as? Int == 2)
    #expect(
      call.argumentsJSON
        == #"{"s":"x","n":1,"d":1.5,"ok":true,"none":null,"list":["a","b"],"o":{"k":2}}"#)
  }

  @Test func callsAreEqualWhateverTheOrderOfTheirArguments() {
    let call = LeapFunctionCall(name: "f", json: ["b": 1, "a": nil])
    #expect(call == LeapFunctionCall(name: "f", arguments: ["a": nil, "b": 1]))
    #expect(call != LeapFunctionCall(name: "f", arguments: ["b": 1]))
    #expect(call != LeapFunctionCall(name: "g", arguments: ["a": nil, "b": 1]))
  }
}
