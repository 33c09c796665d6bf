import Foundation
import JSON
import TestSupport
import Testing

@Suite struct LeapUsageTests {
  let leap: Executable
  let folder: TemporaryFolder
  let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
  }

  @Test func printsHelpWithoutArguments() throws {
    let outcome = try leap.run()
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    for name in ["chat", "generate", "inspect", "perplexity", "models", "quantize", "debug"] {
      #expect(outcome.out.contains("\n  \(name) "), "\(name)")
    }
  }

  @Test(arguments: [
    "chat", "generate", "inspect", "perplexity", "quantize", "debug", "debug tokens",
    "debug template", "debug logits", "debug sampler", "debug tool-calls", "models", "models pull",
    "models list", "models search", "models status", "models path", "models rm", "models prune",
  ]) func everyCommandHasHelpWithAnExample(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let asked = try leap.run(words + ["--help"])
    #expect(asked.code == 0)
    #expect(asked.out.hasPrefix("Usage: leap \(command)"))
    #expect(asked.out.contains("Examples:"))
    #expect(try leap.run(["help"] + words).out == asked.out)
    #expect(try leap.run(words + ["-h"]).out == asked.out)
  }

  @Test func printsItsVersion() throws {
    let outcome = try leap.run("--version")
    #expect(outcome.code == 0)
    #expect(outcome.out.hasPrefix("leap ") && outcome.out.split(separator: "\n").count == 1)
  }

  /// Every mistake ends with exit code 2, nothing on standard output and one line that says why.
  @Test(
    arguments: [
      (["generat"], "did you mean 'generate'?"),
      (["nonsense"], "Unknown command 'nonsense'"),
      (["help", "caht"], "did you mean 'chat'?"),
      (["--modle"], "Unknown option '--modle'"),
      (["debug"], "A command is missing"),
      (["debug", "logit"], "did you mean 'logits'?"),
      (["generate", "-p", "x", "--tmep", "0"], "did you mean '--temp'?"),
      (["generate", "-p", "x", "--temp", "hot"], "'--temp' must be a number"),
      (["generate", "-p", "x", "--temp"], "'--temp' needs a value"),
      (["generate", "-p", "x", "--temp", "-1"], "'--temp' must be a number"),
      (["generate", "-p", "x", "--top-p", "1.5"], "'--top-p' must be a number"),
      (["generate", "-p", "x", "--repeat-penalty", "0"], "'--repeat-penalty' must be a number"),
      (["generate", "-p", "x", "--kernels", "avx9"], "'--kernels' must be one of"),
      (["generate", "-p", "x", "-n", "99999999999"], "'-n' must be a whole number"),
      (["generate", "-p", "x", "--json=1"], "takes no value"),
      (["generate", "-p", "x", "extra"], "Unexpected argument 'extra'"),
      (["generate"], "exactly one of '--prompt'"),
      (["generate", "--raw", "--messages", "x"], "'--raw'"),
      (["quantize", "a", "b"], "TYPE is missing"),
      (["quantize", "a", "b", "Q9"], "TYPE must be one of"),
      (["perplexity"], "'--file' is missing"),
      (["debug", "tokens"], "exactly one of"),
      (["debug", "logits", "-o", "x"], "'--tokens'"),
      (["debug", "logits", "--tokens", "1", "--tokens-file", "x", "-o", "y"], "not both"),
      (["debug", "template"], "'--context' is missing"),
      (["debug", "template", "--context", "x", "--now", "noon"], "'--now' must be a time"),
      (["debug", "sampler"], "'--logits' is missing"),
    ] as [([String], String)]) func reportsBadUsage(arguments: [String], text: String) throws
  {
    let outcome = try leap.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains(text), "\(outcome.err)")
    #expect(outcome.err.hasPrefix("leap: ") && outcome.err.hasSuffix("--help')\n"))
    #expect(outcome.err.split(separator: "\n").count == 1)
  }

  /// Commands that belong to later work must not pretend to exist.
  @Test(arguments: ["serve", "batch"]) func hasNoStubs(name: String) throws {
    #expect(try leap.run(name).code == 2)
  }

  @Test func reportsBadFilesInOneSentence() throws {
    let noGGUF = try folder.file("no.gguf", Array("This is no model at all.".utf8))
    let empty = try folder.file("empty.gguf", [])
    let whole = try Data(contentsOf: URL(fileURLWithPath: model))
    let cut = try folder.file("cut.gguf", whole.prefix(whole.count / 2))
    let badJSON = try folder.file("bad.json", Array("[{\"role\": ]".utf8))
    let number = try folder.file("number.json", Array("42".utf8))
    let missing = folder.path + "/missing"
    let cases: [([String], String)] = [
      (["inspect", missing], "missing"), (["inspect", folder.path], folder.path),
      (["inspect", noGGUF], "no.gguf"), (["inspect", empty], "empty.gguf"),
      (["inspect", cut], "cut.gguf"),
      (["generate", "-m", missing, "-p", "x"], "missing"),
      (["generate", "-m", cut, "-p", "x"], "cut.gguf"),
      (["generate", "-m", model, "--messages", missing], "missing"),
      (["generate", "-m", model, "--messages", badJSON], "line 1"),
      (["generate", "-m", model, "--messages", number], "number.json"),
      (["generate", "-m", model, "-p", "x", "--tools", number], "number.json"),
      (["generate", "-m", model, "-p", "x", "-c", "100000"], "4096"),
      (["generate", "-m", model, "-p", String(repeating: "word ", count: 9000)], "tokens"),
      (["chat", "-m", missing], "missing"),
      (["perplexity", "-m", model, "-f", missing], "missing"),
      (["perplexity", "-m", model, "-f", empty], "too few"),
      (["quantize", missing, folder.path + "/out", "Q8_0"], "missing"),
      (["quantize", model, folder.path, "Q8_0"], folder.path),
      (["quantize", model, folder.path + "/no/such/folder", "Q8_0"], "folder"),
      (["quantize", model, model, "Q8_0"], "same file"),
      (["debug", "tokens", "-m", missing, "x"], "missing"),
      (["debug", "tokens", "-m", model, "--ids", "4096"], "4096"),
      (["debug", "template", "-m", model, "--context", number], "number.json"),
      (["debug", "logits", "-m", model, "--tokens", "5000", "-o", folder.path + "/o"], "5000"),
      (["debug", "logits", "-m", model, "--tokens", "1", "-o", folder.path], folder.path),
      (["debug", "logits", "-m", model, "--tokens-file", badJSON, "-o", "x"], "bad.json"),
      (["debug", "sampler", "--logits", number, "--options", number], "number.json"),
    ]
    for (arguments, text) in cases {
      let outcome = try leap.run(arguments)
      #expect(outcome.code == 1, "\(arguments): \(outcome.err)")
      #expect(outcome.out.isEmpty, "\(arguments)")
      #expect(outcome.err.contains(text), "\(arguments): \(outcome.err)")
      #expect(outcome.err.hasPrefix("leap: "), "\(arguments): \(outcome.err)")
      #expect(outcome.err.split(separator: "\n").count == 1, "\(arguments): \(outcome.err)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 5,
      "a failed command left a file behind")
  }

  @Test func takesTheModelFromTheEnvironment() throws {
    let outcome = try leap.run(
      "generate", "-p", "x", environment: ["LEAP_MODEL": folder.path + "/named.gguf"])
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("named.gguf (from LEAP_MODEL)"))
  }

  @Test func endsCleanlyWhenTheReaderLeaves() throws {
    let outcome = try leap.run(["inspect", model], output: .closedPipe)
    #expect(outcome.code == 0 && outcome.err.isEmpty, "\(outcome)")
  }

  @Test func reportsAFullDisk() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let outcome = try leap.run(["inspect", model], output: .path("/dev/full"))
    #expect(outcome.code == 1)
    #expect(outcome.err.hasPrefix("leap: The output could not be written"), "\(outcome.err)")
  }
}
