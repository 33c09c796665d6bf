import Foundation
import GGUF
import JSON
import TestSupport
import Testing

@Suite struct LeapModelFileTests {
  let leap: Executable
  let folder: TemporaryFolder

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
  }

  /// From a float file: the sensitive tensors stay, the others change, and the model still answers.
  @Test(arguments: ["Q8_0", "Q4_0", "F16"]) func quantizesAModel(type: String) throws {
    let source = Fixtures.best("tiny-chat/gguf/tiny-chat-f16.gguf")
    let input =
      FileManager.default.fileExists(atPath: source.path)
      ? source.path : Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
    let output = folder.path + "/out.gguf"
    let outcome = try leap.run("quantize", input, output, type, "--json")
    #expect(outcome.code == 0, "\(outcome.err)")
    #expect(try outcome.json["type"] == .string(type))

    let old = try GGUFFile(path: input)
    let new = try GGUFFile(path: output)
    #expect(new.tensors.map(\.name) == old.tensors.map(\.name))
    for tensor in new.tensors {
      let isKept = tensor.dimensions.count == 1 || tensor.name.contains("shortconv.conv.")
      let isOutput = tensor.name == "token_embd.weight"
      let expected = isKept ? "F32" : type == "Q4_0" && isOutput ? "Q8_0" : type
      #expect(tensor.type.name == expected, "\(tensor.name)")
    }
    let numbers = ["F16": 1, "Q4_0": 2, "Q8_0": 7]
    #expect(try new.metadata.int("general.file_type") == numbers[type])

    let answer = try leap.run(
      "generate", "-m", output, "-p", "What is the capital of France?", "--temp", "0")
    #expect(answer.out == "The capital of France is Paris.\n")
  }

  @Test(arguments: [["--no-mmap"], ["--mlock"], ["--no-mmap", "--mlock"]])
  func answersHoweverTheFileIsHeld(options: [String]) throws {
    let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
    let outcome = try leap.run(
      ["generate", "-m", model, "-p", "What is the capital of France?", "--temp", "0"] + options)
    // Some systems let nobody but the superuser lock 4 MB.
    guard outcome.code == 0 || !options.contains("--mlock") else {
      #expect(outcome.code == 1 && outcome.err.contains("RLIMIT_MEMLOCK"), "\(outcome.err)")
      return
    }
    #expect(outcome.out == "The capital of France is Paris.\n", "\(outcome.err)")
  }

  #if os(Linux)
    @Test func saysWhyAFileCannotBeLocked() throws {
      let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
      let shell = ["/bin/sh", "-c", #"ulimit -l 4; exec "$0" generate --mlock -m "$1" -p Hi"#]
      // The superuser may lock anything, unless the capability is taken away.
      let unprivileged = ["/usr/bin/setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"]
      let command = (geteuid() == 0 ? unprivileged : []) + shell + [leap.path, model]
      let outcome = try Executable(path: command[0]).run(Array(command.dropFirst()))
      #expect(outcome.code == 1 && outcome.out.isEmpty)
      #expect(outcome.err.contains("cannot be locked in memory"), "\(outcome.err)")
      #expect(outcome.err.contains("RLIMIT_MEMLOCK is 4096 bytes"), "\(outcome.err)")
    }
  #endif

  @Test func leavesNothingBehindWhenItCannotFinish() throws {
    let input = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
    let output = folder.path + "/missing/out.gguf"
    #expect(try leap.run("quantize", input, output, "Q8_0").code == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  /// Perplexity by the definition, from the logits themselves.
  @Test(arguments: [false, true]) func measuresPerplexity(half: Bool) throws {
    let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
    let text = String(
      repeating: "The capital of France is Paris. One day, a fox found it. ", count: 4)
    let file = try folder.file("text", Array(text.utf8))
    let context = 32
    let measured = try leap.run(
      ["perplexity", "-m", model, "-f", file, "-c", "\(context)", "--json"]
        + (half ? ["--half"] : [])
    ).json

    let ids =
      try leap.run("debug", "tokens", "-m", model, "--json", "--file", file)
      .json["ids"]?.arrayValue?.compactMap(\.intValue) ?? []
    var surprises: [Double] = []
    var start = 0
    // By default 31 text tokens fit behind the first; llama.cpp counts that token in the text.
    let all = half ? [1] + ids : ids
    while start < all.count {
      let end = min(start + (half ? context : context - 1), all.count)
      if half, end - start < context { break }
      let window = half ? [1] + all[start + 1..<end] : [1] + all[start..<end]
      surprises += try self.surprises(window, model: model)
        .suffix(half ? context - context / 2 - 1 : window.count - 1)
      start = end
    }
    #expect(measured["tokens"]?.intValue == surprises.count)
    let expected = exp(surprises.reduce(0, +) / Double(surprises.count))
    let found = measured["perplexity"]?.doubleValue ?? 0
    #expect(abs(found / expected - 1) < 1e-6, "\(found) instead of \(expected)")
  }

  /// -ln p of every token of the window but the first.
  private func surprises(_ window: [Int], model: String) throws -> [Double] {
    let path = folder.path + "/window.f32"
    let list = window.map(String.init).joined(separator: ",")
    #expect(try leap.run("debug", "logits", "-m", model, "--tokens", list, "-o", path).code == 0)
    let logits = try Fixtures.floats(URL(fileURLWithPath: path)).map(Double.init)
    return (1..<window.count).map { index in
      let row = logits[(index - 1) * 4096..<index * 4096]
      let total = row.reduce(0) { $0 + exp($1) }
      return log(total) - row[row.startIndex + window[index]]
    }
  }
}
