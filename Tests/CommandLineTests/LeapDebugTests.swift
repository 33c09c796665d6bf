import Foundation
import JSON
import TestSupport
import Testing

@Suite struct LeapDebugTests {
  let leap: Executable
  let folder: TemporaryFolder
  let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path

  init() throws {
    leap = try Executable.leap
    folder = try TemporaryFolder()
  }

  @Test func encodesAndDecodes() throws {
    let text = "Hello <|im_end|> world"
    let parsed = try leap.run("debug", "tokens", "-m", model, "--json", text).json["ids"]
    let plain = try leap.run("debug", "tokens", "-m", model, "--json", "--no-special", text)
      .json["ids"]
    let begun = try leap.run("debug", "tokens", "-m", model, "--json", "--bos", text).json["ids"]
    #expect(parsed?.arrayValue?.contains(7) == true)
    #expect(plain?.arrayValue?.contains(7) == false)
    #expect(begun?.arrayValue == [1] + (parsed?.arrayValue ?? []))

    let file = try folder.file("text", Array(text.utf8))
    #expect(
      try leap.run("debug", "tokens", "-m", model, "--json", "--file", file).json["ids"] == parsed)
    for ids in [parsed, plain] {
      let list = ids?.arrayValue?.compactMap(\.intValue).map(String.init).joined(separator: ",")
      let decoded = try leap.run("debug", "tokens", "-m", model, "--ids", list ?? "")
      #expect(decoded.out == text + "\n")
    }
  }

  @Test func rendersATemplateExactly() throws {
    let template = try folder.file(
      "t.jinja", Array("{{ messages[0].content }}|{{ strftime_now('%d %B %Y %H:%M') }}".utf8))
    let context = try folder.file(
      "c.json", Array("{\"messages\": [{\"role\": \"user\", \"content\": \"é 🙂\"}]}".utf8))
    let outcome = try leap.run(
      "debug", "template", "--template", template, "--context", context,
      "--now", "2025-03-14T15:09:26", environment: ["TZ": "Asia/Tokyo"])
    #expect(outcome.code == 0)
    #expect(outcome.out == "é 🙂|14 March 2025 15:09")
  }

  @Test func rendersTheModelsOwnTemplate() throws {
    let context = try folder.file(
      "c.json",
      Array(
        #"{"messages": [{"role": "user", "content": "Hello!"}], "add_generation_prompt": true}"#
          .utf8))
    let outcome = try leap.run("debug", "template", "-m", model, "--context", context)
    #expect(
      outcome.out
        == "<|startoftext|><|im_start|>user\nHello!<|im_end|>\n<|im_start|>assistant\n")
  }

  @Test func reportsATemplatesOwnError() throws {
    let template = try folder.file("t.jinja", Array("{{ raise_exception('no system') }}".utf8))
    let context = try folder.file("c.json", Array("{}".utf8))
    let outcome = try leap.run(
      "debug", "template", "--template", template, "--context", context)
    #expect(outcome.code == 1)
    #expect(outcome.err.contains("no system"))
  }

  /// The same bits for every step size and number of threads, and the rows that were asked for.
  @Test func writesLogitsThatDependOnNothingButTheTokens() throws {
    let golden = try JSONValue(
      parsing: Data(
        contentsOf: Fixtures.bundled("tiny-chat/golden/tiny-chat-q4_k_m.json")))["cases"]?[0]
    let ids = golden?["ids"]?.arrayValue ?? []
    let list = try folder.file("ids.json", Array(JSONValue.array(ids).text(style: .python).utf8))
    func logits(_ name: String, _ arguments: String...) throws -> Data {
      let path = folder.path + "/" + name
      let outcome = try leap.run(
        ["debug", "logits", "-m", model, "--tokens-file", list, "-o", path, "--json"] + arguments)
      #expect(outcome.code == 0, "\(outcome.err)")
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let whole = try logits("whole")
    #expect(whole.count == ids.count * 4096 * 4)
    #expect(try logits("chunk1", "--chunk", "1") == whole)
    #expect(try logits("chunk7", "--chunk", "7", "--threads", "1") == whole)
    #expect(try logits("last", "--last", "2", "--chunk", "5") == whole.suffix(2 * 4096 * 4))
    #if arch(x86_64)
      let fused = try logits("fused", "--kernels", "avx2")
      #expect(fused == whole)
    #endif

    // The row's largest logit is the golden's first token.
    let row = whole.suffix(4096 * 4).withUnsafeBytes { bytes in
      (0..<4096).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
    let best = row.indices.max { row[$0] < row[$1] }
    #expect(best == golden?["greedy"]?[0]?.intValue)
  }

  @Test func showsSamplerStages() throws {
    let logits = [Float](arrayLiteral: 1, 3, 2, -1)
    let row = try folder.file("row.f32", logits.withUnsafeBytes(Array.init))
    let options = try folder.file(
      "o.json",
      Array(#"{"top_k": 2, "temperature": 0.5, "repeat_penalty": 2, "history": [1]}"#.utf8))
    let outcome = try leap.run("debug", "sampler", "--logits", row, "--options", options)
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    let report = try outcome.json
    let stages = report["stages"]?.arrayValue ?? []
    #expect(stages.map { $0["stage"] } == ["penalties", "top_k", "temperature"])
    #expect(stages[1]["kept"] == [1, 2])
    #expect(report["final"]?["ids"] == [2, 1])
    // (2 - 1.5) / 0.5 = 1 between the two that are left.
    let expected = 1 / (1 + exp(-1.0))
    let found = report["final"]?["probs"]?[0]?.doubleValue ?? 0
    #expect(abs(found - expected) < 1e-5)

    let wrong = try folder.file("w.json", Array(#"{"top_q": 2}"#.utf8))
    let refused = try leap.run("debug", "sampler", "--logits", row, "--options", wrong)
    #expect(refused.code == 1 && refused.err.contains("top_q"))
  }
}
