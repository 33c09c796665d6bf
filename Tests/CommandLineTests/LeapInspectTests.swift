import Foundation
import JSON
import TestSupport
import Testing

@Suite struct LeapInspectTests {
  let leap: Executable
  let model = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
  init() throws { leap = try Executable.leap }

  @Test func showsFactsAndMemoryAsJSON() throws {
    let outcome = try leap.run("inspect", model, "--json")
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    let facts = try outcome.json
    #expect(facts["bytes"] == 4_010_656)
    #expect(facts["version"] == 3)
    #expect(facts["tensors"]?.arrayValue?.count == 75)
    #expect(facts["metadata"]?["lfm2.attention.head_count_kv"] == [0, 0, 2, 0, 2, 0, 2, 0])
    #expect(facts["metadata"]?["tokenizer.ggml.tokens"]?["length"] == 4096)
    #expect(facts["metadata"]?["tokenizer.ggml.tokens"]?["first"]?.arrayValue?.count == 8)
    #expect(facts["metadata"]?["lfm2.attention.layer_norm_rms_epsilon"] == .double(1e-5))
    // 3 attention layers, 2 heads of 64 for keys and as many for values, 2 bytes each.
    #expect(facts["memory"]?["kv_per_token_f16"] == .int(3 * 2 * 2 * 64 * 2))
    #expect(facts["memory"]?["kv_per_token_f32"] == .int(3 * 2 * 2 * 64 * 4))
    // 5 convolution layers, 2 columns of 256 floats.
    #expect(facts["memory"]?["convolution_state"] == .int(5 * 2 * 256 * 4))
    let sum = facts["types"]?.arrayValue?.compactMap { $0["bytes"]?.intValue }.reduce(0, +)
    #expect(facts["memory"]?["weights"]?.intValue == sum)
  }

  @Test func showsASummaryForPeople() throws {
    let outcome = try leap.run("inspect", model)
    #expect(outcome.code == 0 && outcome.err.isEmpty)
    for text in [
      "6.10 M parameters", "general.architecture = \"lfm2\"", "blk.2.attn_k.weight", "Memory",
      "keys and values per token: 1.54 kB (f16)",
    ] {
      #expect(outcome.out.contains(text), "\(text)")
    }
    #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count < 250 })
  }

  @Test func saysWhenAModelCannotBeComputed() throws {
    guard let vocabulary = Fixtures.shared("tokenizer/lfm2-vocab.gguf") else { return }
    let outcome = try leap.run("inspect", vocabulary.path, "--json")
    #expect(outcome.code == 0)
    #expect(try outcome.json["memory"]?["unsupported"]?.stringValue?.isEmpty == false)
  }
}
