import Foundation
import JSON
import TestSupport
import Testing

@Suite struct LeapGenerateTests {
  let leap: Executable
  let folder: TemporaryFolder
  let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
  }

  @Test func answersFromTheBundledModel() throws {
    let outcome = try leap.run("generate", "-p", "What is the capital of France?", "--temp", "0")
    #expect(outcome.code == 0)
    #expect(outcome.out == "The capital of France is Paris.\n")
    #expect(outcome.err.contains("tiny-chat-q4_k_m.gguf (bundled)"))
  }

  @Test func readsThePromptFromStandardInput() throws {
    let outcome = try leap.run(
      "generate", "-m", model, "-f", "-", "--temp", "0", input: "Tell me the capital of Japan.")
    #expect(outcome.out == "The capital of Japan is Tokyo.\n")
  }

  @Test func stopsAtTheLimitOfTokens() throws {
    let outcome = try leap.run(
      "generate", "-m", model, "-p", "Count from 3 to 9.", "--temp", "0", "-n", "4", "--json")
    let answer = try outcome.json
    #expect(answer["finish_reason"] == "length")
    #expect(answer["usage"]?["completion_tokens"] == 4)
    #expect(answer["ids"]?.arrayValue?.count == 4)
  }

  @Test func endsWithTheContext() throws {
    let outcome = try leap.run(
      "generate", "-m", model, "-p", "Tell me a story about a fox.", "--temp", "0", "-c", "24",
      "--json")
    #expect(try outcome.json["finish_reason"] == "exceed_context")
  }

  @Test func repeatsItselfForASeed() throws {
    let arguments = [
      "generate", "-m", model, "-p", "Tell me a story about a fox.", "--temp", "1", "--seed", "7",
      "-n", "24",
    ]
    #expect(try leap.run(arguments).out == leap.run(arguments + ["--threads", "1"]).out)
  }

  @Test(arguments: [["--temp", "0"], ["--temp", "1", "--seed", "3"]])
  func lookupGivesTheSameAnswerInFewerPasses(sampling: [String]) throws {
    let arguments =
      ["generate", "-m", model, "-p", "Count from 3 to 9.", "--json"] + sampling
    let plain = try leap.run(arguments).json
    let quick = try leap.run(arguments + ["--lookup"]).json
    #expect(quick["ids"] == plain["ids"])
    let tokens = try #require(plain["usage"]?["completion_tokens"]?.intValue)
    // The last token is never evaluated.
    #expect(plain["usage"]?["forward_passes"]?.intValue == tokens - 1)
    #expect(plain["usage"]?["draft_tokens"] == 0)
    let usage = try #require(quick["usage"])
    let (passes, accepted) = (
      usage["forward_passes"]?.intValue ?? 0, usage["accepted_draft_tokens"]?.intValue ?? 0
    )
    #expect(accepted > 0 && passes + accepted == tokens - 1)
  }

  @Test func continuesRawText() throws {
    let outcome = try leap.run(
      "generate", "-m", model, "--raw", "--temp", "0", "--json",
      "-p", "<|im_start|>user\nHello!<|im_end|>\n<|im_start|>assistant\n")
    #expect(try outcome.json["text"] == "Hello! How can I help you today?")
    #expect(try outcome.json["usage"]?["prompt_tokens"] == 14)
  }

  @Test func doesNotTakeUserTextForControlTokens() throws {
    let outcome = try leap.run(
      "generate", "-m", model, "-p", "<|im_end|>", "--temp", "0", "-n", "1", "--json")
    // As one control token the message would make the prompt shorter than an empty one plus 2.
    let empty = try leap.run("generate", "-m", model, "-p", "", "--temp", "0", "-n", "1", "--json")
    let length = try outcome.json["usage"]?["prompt_tokens"]?.intValue ?? 0
    let shortest = try empty.json["usage"]?["prompt_tokens"]?.intValue ?? 0
    #expect(length > shortest + 1)
  }

  /// Every transcript of one file against its golden: the prompt's length, then ids and text up to
  /// the first step whose margin is below 0.1.
  @Test(arguments: ["f16", "q8_0", "q6_k", "q4_k_m", "q4_0"])
  func repeatsEveryTranscript(type: String) throws {
    let path = Fixtures.best("tiny-chat/gguf/tiny-chat-\(type).gguf").path
    guard FileManager.default.fileExists(atPath: path) else {
      print("skipped: tiny-chat-\(type).gguf is not in this checkout")
      return
    }
    let golden = Fixtures.best("tiny-chat/golden/tiny-chat-\(type).json")
    let cases = try JSONValue(parsing: Data(contentsOf: golden))["cases"]?.arrayValue ?? []
    #expect(cases.count == 22)
    for golden in cases {
      let name = golden["name"]?.stringValue ?? "?"
      var arguments = ["generate", "-m", path, "--temp", "0", "--json", "-n", "256"]
      arguments += ["--messages", try file("\(name).json", golden["messages"])]
      if let tools = golden["tools"], tools != .null {
        arguments += ["--tools", try file("\(name)-tools.json", tools)]
      }
      let answer = try leap.run(arguments).json
      let expected = golden["greedy"]?.arrayValue ?? []
      let margins = golden["margin"]?.arrayValue?.compactMap(\.doubleValue) ?? []
      let certain = margins.firstIndex { $0 < 0.1 } ?? expected.count
      let ids = answer["ids"]?.arrayValue ?? []
      #expect(
        answer["usage"]?["prompt_tokens"]?.intValue == golden["ids"]?.arrayValue?.count, "\(name)")
      #expect(Array(ids.prefix(certain)) == Array(expected.prefix(certain)), "\(name)")
      if certain == expected.count {
        #expect(answer["text"] == golden["text"], "\(name)")
        #expect(answer["finish_reason"] == "stop", "\(name)")
      }
    }
  }

  private func file(_ name: String, _ value: JSONValue?) throws -> String {
    try folder.file(name, Array((value ?? .null).text(style: .compact).utf8))
  }
}
