import JSON
import Testing
import ToolCalls

@Suite struct ToolCallTests {
  @Test func equalCallsHaveEqualNamesAndArguments() {
    #expect(ToolCall(name: "f", arguments: ["a": 1]) == ToolCall(name: "f", arguments: ["a": 1]))
    #expect(ToolCall(name: "f", arguments: ["a": 1]) != ToolCall(name: "f", arguments: ["a": 2]))
  }
}
