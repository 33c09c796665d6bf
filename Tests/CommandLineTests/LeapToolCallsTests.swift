import JSON
import Testing

@Suite struct LeapToolCallsTests {
  let leap: Executable
  let folder: TemporaryFolder

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
  }

  @Test func splitsATextWhicheverWayItIsFed() throws {
    let input = "Let me see. <|tool_call_start|>[f(a='it\\'s', n=1.0), g()]<|tool_call_end|> é"
    for arguments in [[], ["--split", "1"], ["--split", "1000", "--json"]] {
      let outcome = try leap.run(
        ["debug", "tool-calls", "--format", "lfm"] + arguments, input: input)
      #expect(outcome.code == 0 && outcome.err.isEmpty)
      #expect(
        outcome.out
          == #"{"text":"Let me see.  é","calls":[{"name":"f","arguments":{"a":"it's","n":1.0}},"#
          + #"{"name":"g","arguments":{}}]}"# + "\n")
    }
  }

  @Test func bringsArgumentsToTheTypesOfTheFunctions() throws {
    let functions = try folder.file(
      "functions.json",
      Array(#"[{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]"#.utf8))
    let outcome = try leap.run(
      "debug", "tool-calls", "--format", "hermes", "--functions", functions,
      input: #"<tool_call>{"name": "f", "arguments": {"n": "5"}}</tool_call>"#)
    #expect(try outcome.json == ["text": "", "calls": [["name": "f", "arguments": ["n": 5]]]])

    let wrong = try folder.file("wrong.json", Array("{}".utf8))
    let refused = try leap.run(
      "debug", "tool-calls", "--format", "hermes", "--functions", wrong)
    #expect(refused.code == 1 && refused.err.contains("no JSON array"))
  }

  @Test func answersEachLineWithALine() throws {
    let outcome = try leap.run(
      "debug", "tool-calls", "--format", "lfm", "--lines",
      input: #"""
        "<|tool_call_start|>f()"
        "\n"

        """#)
    #expect(
      outcome.out
        == #"{"text":"","calls":[{"name":"f","arguments":{}}]}"# + "\n"
        + #"{"text":"\n","calls":[]}"# + "\n")
    let refused = try leap.run(
      "debug", "tool-calls", "--format", "lfm", "--lines", input: "\"a\"\nb\n")
    #expect(refused.code == 1 && refused.err.contains("Line 2"))
  }
}
