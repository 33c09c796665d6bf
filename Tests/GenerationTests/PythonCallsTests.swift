import JSON
import Testing

@testable import Generation

@Suite struct PythonCallsTests {
  @Test func callsAreWrittenAsTheModelWritesThem() {
    let calls: [JSONValue] = [
      [
        "function": [
          "name": "f",
          "arguments": ["a": "x\"y", "n": 1, "ok": true, "none": nil, "list": [1.5, ["k": "v"]]],
        ]
      ],
      ["function": ["name": "g", "arguments": [:]]],
    ]
    #expect(
      PythonCalls.text(calls)
        == #"[f(a="x\"y", n=1, ok=True, none=None, list=[1.5, {"k": "v"}]), g()]"#)
  }
}
