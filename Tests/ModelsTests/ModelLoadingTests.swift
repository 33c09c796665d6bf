import Compute
import GGUF
import Models
import TestSupport
import Testing

@Suite("Loading models whose metadata or tensors lie")
struct ModelLoadingTests {
  /// A small file of each architecture, bundled with the repository.
  static let names = ["rand-gqa3-f32", "rand-moe-q8_0", "rand-llama3rope-f32", "rand-qwen3-q8_0"]

  private func original(_ name: String) throws -> GGUFFile {
    try GGUFFile(path: Fixtures.best("text/\(name).gguf").path)
  }

  /// The file again with changed metadata and tensors (nil drops a tensor).
  private func rewritten(
    _ file: GGUFFile, metadata change: (inout GGUFWriter) -> Void = { _ in },
    rename: (String) -> String? = { $0 }
  ) throws -> GGUFFile {
    var writer = GGUFWriter(metadata: file.metadata)
    change(&writer)
    for tensor in file.tensors {
      guard let name = rename(tensor.name) else { continue }
      try writer.addTensor(
        name, dimensions: tensor.dimensions, type: tensor.type,
        bytes: [UInt8](file.bytes(of: tensor)))
    }
    return try GGUFFile(bytes: writer.bytes())
  }

  private func logits(_ file: GGUFFile) throws -> [Float] {
    let evaluator = try Evaluator(model: Model.load(file))
    return try allLogits(evaluator, [1, 5, 9, 30, 200, 77, 8], cache: .f16)
  }

  @Test("a wrong feed-forward width in the metadata changes nothing but a warning")
  func feedForwardWidth() throws {
    let honest = try original("rand-gqa3-f32")
    let lying = try rewritten(
      honest, metadata: { $0.set("lfm2.feed_forward_length", .uint32(999)) })
    let model = try Model.load(lying)
    #expect(model.warnings.contains { $0.contains("999") })
    #expect(try logits(lying) == logits(honest))
  }

  @Test("the final norm is found under either name, and missed by both")
  func finalNorm() throws {
    let honest = try original("rand-gqa3-f32")
    let renamed = try rewritten(
      honest, rename: { $0 == "token_embd_norm.weight" ? "output_norm.weight" : $0 })
    #expect(try logits(renamed) == logits(honest))
    let missing = try rewritten(honest, rename: { $0 == "token_embd_norm.weight" ? nil : $0 })
    #expect(
      throws: ModelError.missingTensor(names: ["token_embd_norm.weight", "output_norm.weight"])
    ) {
      try Model.load(missing)
    }
  }

  @Test(
    "layer counts that the tensors do not bear out are refused", arguments: [0, 2, 4, 513, 1 << 31])
  func layerCount(count: Int) throws {
    let file = try rewritten(
      original("rand-gqa3-f32"), metadata: { $0.set("lfm2.block_count", .uint64(UInt64(count))) })
    let error = #expect(throws: ModelError.self) { try Model.load(file) }
    #expect(error?.description.contains("lfm2.block_count") == true)
  }

  @Test("every missing tensor is named", arguments: names)
  func missingTensors(name: String) throws {
    let file = try original(name)
    // Optional by design: a tied output, rope divisors, the experts' selection bias.
    let optional = ["output.weight", "rope_freqs.weight"]
    for tensor in file.tensors
    where !optional.contains(tensor.name) && !tensor.name.hasSuffix("exp_probs_b.bias") {
      let cut = try rewritten(file, rename: { $0 == tensor.name ? nil : $0 })
      let error = #expect(throws: ModelError.self, "\(tensor.name)") { try Model.load(cut) }
      #expect(
        error?.description.contains(tensor.name) == true,
        "\(tensor.name): \(error.debugDescription)")
    }
  }

  @Test("every hyper-parameter set to nonsense is refused by name or harmless", arguments: names)
  func hyperParameters(name: String) throws {
    let file = try original(name)
    let architecture = file.metadata["general.architecture"]?.stringValue ?? ""
    for key in file.metadata.keys where key.hasPrefix(architecture + ".") {
      var values: [GGUFValue] = [
        .uint32(0), .uint32(1), .uint64(.max), .int64(.min), .int32(-1), .uint32(7), .bool(true),
        .string("x"), .float32(.nan), .float32(-1), .array(GGUFArray([Int32(1)])),
        .array(GGUFArray([Int32]())),
      ]
      if let number = file.metadata[key]?.intValue {
        values += [.int64(Int64(number) * 2), .int64(Int64(number) / 2)]
      }
      for value in values {
        let changed = try rewritten(file, metadata: { $0.set(key, value) })
        do {
          // What loads must also run.
          _ = try logits(changed)
        } catch let error as ModelError {
          #expect(error.description.hasSuffix("."), "\(key)")
          #expect(!error.description.contains("\n"))
        }
      }
    }
  }

  @Test("foreign architectures are refused by name")
  func architecture() throws {
    for name in ["lfm3", "gemma3", ""] {
      let file = try rewritten(
        original("rand-gqa3-f32"), metadata: { $0.set("general.architecture", .string(name)) })
      #expect(throws: ModelError.unsupportedArchitecture(name)) { try Model.load(file) }
    }
  }

  @Test("relatives that would compute wrongly are refused")
  func relatives() throws {
    let file = try original("rand-gqa3-f32")
    let changes: [(String, GGUFValue)] = [
      ("lfm2.attention.causal", .bool(false)), ("lfm2.attention.sliding_window", .uint32(30)),
      ("lfm2.rope.scaling.type", .string("yarn")), ("lfm2.expert_count", .uint32(4)),
    ]
    for (key, value) in changes {
      let changed = try rewritten(file, metadata: { $0.set(key, value) })
      let error = #expect(throws: ModelError.self, "\(key)") { try Model.load(changed) }
      guard case .unsupportedFeature? = error else {
        Issue.record("\(key): \(error.debugDescription)")
        continue
      }
    }
  }

  @Test("tokens, lengths and sequences out of range are refused and leave no trace")
  func evaluationErrors() throws {
    let model = try Model.load(original("rand-gqa3-f32"))
    let other = try Model.load(original("rand-gqa3-f32"))
    let evaluator = try Evaluator(model: model)
    let sequence = try SequenceState(model: model, capacity: 4)
    // A negative number stands for a vector, and none was placed there.
    #expect(throws: ModelError.missingEmbedding(position: 0)) {
      try evaluator.evaluate([-1], in: sequence)
    }
    #expect(throws: ModelError.tokenOutOfRange(token: -1, vocabulary: 1000)) {
      try evaluator.step(-1, in: sequence)
    }
    #expect(throws: ModelError.tokenOutOfRange(token: 1000, vocabulary: 1000)) {
      try evaluator.step(1000, in: sequence)
    }
    #expect(throws: ModelError.emptyInput) { try evaluator.evaluate([], in: sequence) }
    #expect(throws: ModelError.contextFull(needed: 5, capacity: 4)) {
      try evaluator.evaluate([1, 2, 3, 4, 5], in: sequence)
    }
    #expect(sequence.count == 0)
    try evaluator.evaluate([1, 2, 3, 4], in: sequence)
    #expect(throws: ModelError.contextFull(needed: 5, capacity: 4)) {
      try evaluator.step(1, in: sequence)
    }
    #expect(sequence.count == 4)
    let foreign = try SequenceState(model: other, capacity: 4)
    #expect(throws: ModelError.foreignSequence) { try evaluator.step(1, in: foreign) }
    let twice = try SequenceState(model: model, capacity: 4)
    #expect(throws: ModelError.foreignSequence) { try evaluator.step([1, 2], in: [twice, twice]) }
    for capacity in [0, -1, model.configuration.contextLength + 1, .max] {
      #expect(throws: ModelError.self) { try SequenceState(model: model, capacity: capacity) }
    }
  }
}
