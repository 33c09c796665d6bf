import JSON
import Testing
import ToolCalls

@Suite struct WritingTests {
  @Test func callsAreWrittenAsModelsWriteThem() {
    let calls = [
      ToolCall(
        name: "f",
        arguments: [
          "a": "x\"y\n", "n": 1, "ok": true, "none": nil, "list": [1.5, ["k": "v"]], "a b": [],
          "": [:], "größe": -2, "1": 1e300,
        ]), ToolCall(name: "g.h", arguments: [:]),
    ]
    #expect(
      ToolCallFormat.lfm.text(of: calls)
        == #"<|tool_call_start|>[f(a="x\"y\n", n=1, ok=True, none=None, list=[1.5, {"k": "v"}], "#
        + #"**{"a b": []}, **{"": {}}, größe=-2, **{"1": 1e+300}), g.h()]<|tool_call_end|>"#)
    #expect(
      ToolCallFormat.hermes.text(of: [calls[1], calls[1]])
        == """
        <tool_call>{"name": "g.h", "arguments": {}}</tool_call>
        <tool_call>{"name": "g.h", "arguments": {}}</tool_call>
        """)
    for format in ToolCallFormat.allCases {
      #expect(Reading(format, format.text(of: calls)).calls == calls)
    }
  }

  @Test(arguments: ToolCallFormat.allCases)
  func whatIsWrittenIsReadBack(_ format: ToolCallFormat) {
    var generator = CallGenerator(seed: 7)
    for _ in 0..<200 {
      let calls = generator.stream(format).expected.calls
      let reading = Reading(format, format.text(of: calls))
      #expect(reading.calls == calls)
      #expect(reading.text.allSatisfy { $0 == "\n" })
    }
  }

  @Test func deepValuesAreWrittenWithoutRecursion() {
    let deep = (0..<1_000).reduce(JSONValue.null) { value, _ in [value] }
    let call = ToolCall(name: "f", arguments: ["a": deep])
    #expect(ToolCallFormat.lfm.text(of: [call]).utf8.count > 2_000)
  }
}
