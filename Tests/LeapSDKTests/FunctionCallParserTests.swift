import Foundation
import JSON
import Testing
import ToolCalls

@testable import LeapSDK

@Suite struct FunctionCallParserTests {
  @Test func aParserReadsBackWhatItWrites() {
    let calls = [
      LeapFunctionCall(name: "now", arguments: [:]),
      LeapFunctionCall(
        name: "shop.add",
        arguments: ["items": ["a", nil, 1.5] as [Any?], "note": "it's \"x\"\n", "n": 2]),
    ]
    func check(
      _ empty: some LeapFunctionCallParserProtocol, _ text: String, _ start: String, _ end: String
    ) {
      #expect(text.hasPrefix(start) && text.hasSuffix(end))
      for size in [1, 7, text.count] {
        var parser = empty
        var rest = Substring("Let me see. " + text)
        while !rest.isEmpty {
          parser.append(chunk: String(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        #expect(parser.parse() == calls)
        #expect(parser.parse() == calls)
        parser.clear()
        #expect(parser.parse().isEmpty)
      }
    }
    let lfm = LFMFunctionCallParser()
    check(lfm, lfm.dump(functionCalls: calls), lfm.toolCallStartToken, lfm.toolCallEndToken)
    let hermes = HermesFunctionCallParser()
    check(
      hermes, hermes.dump(functionCalls: calls), hermes.toolCallStartToken,
      hermes.toolCallEndToken)
  }

  @Test func aBlockWithoutEndIsReadAsFarAsItGoes() {
    var parser = LFMFunctionCallParser()
    parser.append(chunk: "<|tool_call_start|>[f(a=1), g(b=")
    #expect(parser.parse() == [LeapFunctionCall(name: "f", arguments: ["a": 1])])
    parser.append(chunk: "2)]<|tool_call_end|>")
    #expect(parser.parse().map(\.name) == ["f", "g"])
  }

  /// A call as the registered function's types make it.
  private func arguments(
    _ inner: String, _ parameters: [LeapFunctionParameter]
  ) -> [String: Any?] {
    let function = LeapFunction(name: "a.f", description: "", parameters: parameters)
    let pieces = ToolCallFormat.lfm.pieces(
      ofBlock: "[a.f(\(inner))]", signatures: ToolSignatures(tools: [function.toolJSON]))
    guard case .calls(let calls)? = pieces.first, let call = calls.first else { return [:] }
    return LeapFunctionCall(call).arguments
  }

  @Test func numbersArriveInTheDeclaredType() {
    let both: [(String, LeapFunctionParameterType) -> LeapFunctionParameter] = [
      { LeapFunctionParameter(name: $0, type: $1, description: "") },
      { LeapFunctionParameter(name: $0, description: "", type: $1, required: true) },
    ]
    for parameter in both {
      let arguments = arguments(
        "d=1, i=3.0, ds=[1, 2], o={'x': 2}, e='2', m=2",
        [
          parameter("d", .number), parameter("i", .integer), parameter("ds", .array(.number)),
          parameter("o", .object(ObjectType(properties: ["x": .number]))),
          parameter("e", .integer(IntegerType(enumValues: [1, 2]))),
          parameter("m", .number(NumberType(enumValues: [1, 2]))),
        ])
      #expect(arguments["d"] as? Double == 1)
      #expect(arguments["i"] as? Int == 3)
      #expect(arguments["ds"] as? [Double] == [1, 2])
      #expect((arguments["o"] as? [String: Any?])?["x"] as? Double == 2)
      #expect(arguments["e"] as? Int == 2)
      #expect(arguments["m"] as? Double == 2)
    }
  }

  @Test func stringsAndChoicesArriveAsStrings() {
    let arguments = arguments(
      "unit='\"celsius\"', zip=01234, tags=['a'], none=None",
      [
        LeapFunctionParameter(
          name: "unit", description: "", type: .string, required: true,
          enumValues: ["celsius", "fahrenheit"]),
        LeapFunctionParameter(name: "zip", type: .string, description: ""),
        LeapFunctionParameter(name: "tags", type: .array(.string), description: ""),
        LeapFunctionParameter(name: "none", type: .string, description: "", optional: true),
      ])
    #expect(arguments["unit"] as? String == "celsius")
    #expect(arguments["zip"] as? String == "01234")
    #expect(arguments["tags"] as? [String] == ["a"])
    #expect(arguments["none"] as? String ?? "Unknown" == "Unknown")
  }

  @Test func typesAreCodedAsJSONSchemas() throws {
    let types: [LeapFunctionParameterType] = [
      .string, .number, .integer, .boolean, .null, .array(.array(.integer)),
      .string(StringType(enumValues: ["a", ""], description: "d")),
      .number(NumberType(enumValues: [1, 2.5])), .integer(IntegerType(enumValues: [-1])),
      .boolean(BooleanType(description: "d")),
      .array(ArrayType(itemType: .string, description: "d")),
      .object(
        ObjectType(
          properties: ["a": .string, "b": .object(ObjectType(properties: [:]))], required: ["a"],
          description: "d")),
    ]
    for type in types {
      let data = try JSONEncoder().encode(type)
      #expect(try JSONDecoder().decode(LeapFunctionParameterType.self, from: data) == type)
      #expect(try JSONValue(parsing: data)["type"] == type.schema["type"])
    }
    for bad in [
      #"{}"#, #"{"type": "text"}"#, #"{"type": "array"}"#, #"{"type": "string", "enum": [1]}"#,
      #"{"type": "integer", "enum": 1}"#, #"{"type": "array", "items": {"type": 1}}"#, "1",
    ] {
      #expect(throws: DecodingError.self, "\(bad)") {
        try JSONDecoder().decode(LeapFunctionParameterType.self, from: Data(bad.utf8))
      }
    }
  }
}
