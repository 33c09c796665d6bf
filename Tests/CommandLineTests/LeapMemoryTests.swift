#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Whatever memory there is, a run answers or says in a sentence why not. The limit is one of
  /// addresses, which every allocation runs into.
  @Suite struct LeapMemoryTests {
    private let leap: Executable
    private let folder: TemporaryFolder
    private let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf")
    private static let answer = "The capital of France is Paris.\n"

    init() throws {
      leap = try Executable.leap
      folder = try TemporaryFolder()
    }

    private func run(kibibytes: Int, _ arguments: [String]) throws -> Executable.Outcome {
      try Executable(path: "/bin/sh").run(
        ["-c", "ulimit -v \(kibibytes) && exec \"$0\" \"$@\"", leap.path] + arguments)
    }

    /// What the program needs to start at all; less is the business of the system's loader, and of
    /// libraries that complain at once.
    private func start() throws -> Int {
      var (low, high) = (1 << 16, 1 << 21)
      while high - low > 4_096 {
        let middle = (low + high) / 2
        let outcome = try run(kibibytes: middle, ["--version"])
        if outcome.code == 0, outcome.err.isEmpty { high = middle } else { low = middle }
      }
      return high
    }

    @Test func answersOrSaysHowMuchIsLacking() throws {
      let size = try Data(contentsOf: model).count >> 10
      let start = try start()
      var (answers, refusals) = (0, 0)
      for extra in [0, 8, 32, 128, 256, 512] {
        for options in [
          ["-c", "4096"], ["-c", "64"], ["-c", "4096", "--no-mmap"], ["-t", "16"],
        ] {
          let outcome = try run(
            kibibytes: start + size + extra << 10,
            ["generate", "-m", model.path, "-p", "What is the capital of France?", "--temp", "0"]
              + options)
          if outcome.code == 0 {
            #expect(outcome.out == Self.answer)
            answers += 1
          } else {
            #expect(outcome.code == 1 && outcome.out.isEmpty, "\(extra) \(options): \(outcome)")
            let sentence = outcome.err.contains(/needs \d+ MiB .* only \d+ MiB .* choose a smaller/)
            #expect(sentence, "\(extra) \(options): \(outcome.err)")
            #expect(outcome.err.split(separator: "\n").count == 1)
            refusals += 1
          }
        }
      }
      #expect(answers >= 4 && refusals >= 8)
    }

    /// A file that claims an absurd context.
    @Test(arguments: [1 << 20, 1 << 24]) func absurdContextsAreRefused(tokens: Int) throws {
      var data = try Data(contentsOf: model)
      let key = try #require(data.range(of: Data("lfm2.context_length".utf8)))
      // The type, then the value.
      withUnsafeBytes(of: UInt32(tokens).littleEndian) {
        data.replaceSubrange(key.upperBound + 4..<key.upperBound + 8, with: $0)
      }
      let path = try folder.file("absurd.gguf", data)
      for command in [["generate", "-p", "Hi"], ["chat"]] {
        let outcome = try run(
          kibibytes: start() + 600 << 10, command + ["-m", path, "-c", "\(tokens)"])
        #expect(outcome.code == 1 && outcome.out.isEmpty, "\(outcome)")
        #expect(outcome.err.contains("with a context of \(tokens) tokens"), "\(outcome.err)")
        #expect(outcome.err.split(separator: "\n").count == 1)
      }
    }
  }
#endif
