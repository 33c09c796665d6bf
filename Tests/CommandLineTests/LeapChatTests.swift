import Foundation
import JSON
import TestSupport
import Testing

@Suite struct LeapChatTests {
  let leap: Executable
  let folder: TemporaryFolder
  let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
  }

  private func chat(_ input: String, _ arguments: String...) throws -> Executable.Outcome {
    try leap.run(["chat", "-m", model, "--temp", "0"] + arguments, input: input)
  }

  @Test func answersPipedLinesAndRemembersThem() throws {
    let outcome = try chat("My name is Anna.\nWhat is the capital of Italy?\nWhat is my name?\n")
    #expect(outcome.code == 0)
    let lines = outcome.out.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.contains("Anna") == true)
    #expect(lines.dropFirst().first == "The capital of Italy is Rome.")
    #expect(lines.last == "Your name is Anna.")
    #expect(outcome.err.contains("tokens/s"))
    #expect(outcome.err.contains("cached"), "the second turn must reuse the first")
  }

  @Test func takesCommandsAmongTheLines() throws {
    let file = folder.path + "/saved chat.json"
    let outcome = try chat(
      "/system Answer briefly.\nHello!\n/save \(file)\n/reset\n/system\n/exit\nnever read\n")
    #expect(outcome.code == 0)
    #expect(outcome.out.split(separator: "\n").count == 1)
    #expect(outcome.err.contains("Answer briefly."))
    let saved = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(saved["messages"]?.arrayValue?.map { $0["role"] } == ["system", "user", "assistant"])

    let resumed = try chat("/load \(file)\n/save \(file)2\n")
    #expect(resumed.code == 0)
    let again = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: file + "2")))
    #expect(again == saved)
  }

  @Test(arguments: ["/nonsense", "/save", "/load /no/such/file", "/reset now"])
  func endsAScriptAtItsFirstMistake(line: String) throws {
    let outcome = try chat("\(line)\nHello!\n")
    #expect(outcome.code == 1)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.contains("leap: "))
  }

  @Test func printsOneDocumentAtTheEndWhenAskedForJSON() throws {
    let outcome = try chat("What is the capital of Italy?\n/exit\n", "--json")
    #expect(outcome.code == 0)
    let document = try JSONValue(parsing: outcome.out)
    #expect(document["messages"]?.arrayValue?.map { $0["role"] } == ["user", "assistant"])
    #expect(document["answers"]?[0]?["text"] == "The capital of Italy is Rome.")
    #expect(document["answers"]?[0]?["finish_reason"] == "stop")
  }

  @Test func endsQuietlyWithoutInput() throws {
    let outcome = try chat("")
    #expect(outcome.code == 0 && outcome.out.isEmpty)
  }

  @Test func joinsContinuedLines() throws {
    let outcome = try chat("What is the capital \\\nof France?\n")
    #expect(outcome.code == 0)
    #expect(outcome.out.split(separator: "\n").count == 1)
  }

  @Test func stopsAnAnswerOnInterrupt() throws {
    let outcome = try leap.run(
      ["chat", "-m", model, "--temp", "1", "--repeat-penalty", "100", "-n", "4000"],
      input: String(repeating: "Tell me a story about a fox.\n", count: 1000),
      whileRunning: { process in
        Thread.sleep(forTimeInterval: 2)
        kill(process, SIGINT)
      })
    #expect(outcome.code == 130)
    // One answer cut short, and nothing after it.
    #expect(outcome.err.split(separator: "\n").count(where: { $0.hasSuffix("; stopped") }) <= 1)
  }
}

extension LeapChatTests {
  @Test func comesBackToASession() throws {
    let file = folder.path + "/anna.session"
    let first = try chat("My name is Anna.\n", "--session", file)
    #expect(first.code == 0)
    let second = try chat("What is my name?\n", "--session", file)
    #expect(second.code == 0)
    #expect(second.out == "Your name is Anna.\n")
    #expect(second.err.contains("continuing"))
    #expect(second.err.contains("cached"))
    let other = try chat("Hello!\n", "--session", file, "--cache-type", "f32")
    #expect(other.code == 0)
    #expect(other.err.contains("Only its messages are used."))
    try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
    let damaged = try chat("Hello!\n", "--session", file)
    #expect(damaged.code == 1 && damaged.out.isEmpty)
    #expect(damaged.err.contains("no saved state"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("{}".utf8))
  }

  @Test func keepsPromptsInAFolder() throws {
    let cache = folder.path + "/new/cache"
    let system = "You are a helpful assistant. Answer in one short sentence, please. Be brief."
    let first = try chat("Hello!\n", "--system", system, "--cache", cache)
    let second = try chat("Hello!\n", "--system", system, "--cache", cache)
    #expect(first.code == 0 && second.code == 0)
    #expect(first.out == second.out)
    #expect(!first.err.contains("cached") && second.err.contains("cached"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count == 1)
  }

  /// A limit on the size of files, in blocks of 1,024 bytes, stands for a full disk.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
  func aFullDiskCostsOnlyTheSaving() throws {
    let (cache, session) = (folder.path + "/cache", folder.path + "/chat.session")
    func run(_ limit: String, _ arguments: String) throws -> Executable.Outcome {
      try Executable(path: "/bin/bash").run(
        "-c",
        "trap '' XFSZ; ulimit -f \(limit); exec '\(leap.path)' chat -m '\(model)' --temp 0 "
          + "--system 'You are a helpful assistant. Answer in one short sentence, please.' "
          + arguments, input: "Hello!\n")
    }
    let expected = try run("unlimited", "--session '\(session)'").out
    let saved = try Data(contentsOf: URL(fileURLWithPath: session))
    // Standard output and error are files here as well, but shorter than the least of these.
    for limit in [1, saved.count / 2_048, saved.count / 1_024 - 1].map({ "\($0)" }) {
      let outcome = try run(limit, "--cache '\(cache)'")
      #expect(outcome.out == expected)
      #expect(outcome.err.contains("could not write it"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: cache).isEmpty)
      let refused = try run(limit, "--session '\(session)'")
      #expect(refused.code == 1)
      #expect(refused.err.contains("cannot be saved"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: session)) == saved)
    }
    #expect(try run("unlimited", "--cache '\(cache)'").code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count == 1)
  }
}
