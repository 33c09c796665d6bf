import CommandLineSupport
import Foundation
import GGUF

/// A GGUF file with random weights in the shape of a published model: as heavy to compute as the
/// real one, and of no other use.
struct SyntheticFile {
  let shape: SyntheticShape
  let mix: QuantizationMix
  /// Where the tokenizer comes from; nil makes one up.
  var vocabularyPath: String?

  init(shape: SyntheticShape, mix: QuantizationMix) {
    self.shape = shape
    self.mix = mix
  }

  var name: String { "\(shape.name)-\(mix.rawValue)" }

  /// Bytes written at a time.
  private static let pieceBytes = 1 << 20

  /// Writes the file, a piece at a time.
  func write(to path: String) throws {
    var metadata = metadata
    if let vocabularyPath { try copyVocabulary(from: vocabularyPath, to: &metadata) }
    var writer = GGUFWriter(metadata: metadata)
    for (index, tensor) in shape.tensors.enumerated() {
      let type = mix.type(of: tensor, in: shape)
      try writer.addTensor(tensor.name, dimensions: tensor.dimensions, type: type) { append in
        try Self.produce(tensor, as: type, seed: UInt64(index), append)
      }
    }
    var progress = ProgressBar("making \(name)")
    defer { progress.finish() }
    try writer.write(to: path) { fraction in
      try Interrupt.check()
      progress.update(fraction)
    }
  }

  private static func produce(
    _ tensor: SyntheticTensor, as type: TensorType, seed: UInt64,
    _ append: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let pieceBlocks = max(1, pieceBytes / type.blockBytes)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pieceBlocks * type.blockBytes, alignment: 64)
    defer { buffer.deallocate() }
    var random = RandomBlocks(type: type, seed: seed)
    var blocks = tensor.elementCount / type.blockSize
    while blocks > 0 {
      try Interrupt.check()
      let piece = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<(min(blocks, pieceBlocks) * type.blockBytes)])
      switch tensor.role {
      case .norm: piece.withMemoryRebound(to: Float.self) { $0.update(repeating: 1) }
      case .bias: piece.withMemoryRebound(to: Float.self) { $0.update(repeating: 0) }
      default: random.fill(piece)
      }
      try append(UnsafeRawBufferPointer(piece))
      blocks -= piece.count / type.blockBytes
    }
  }

  private var metadata: GGUFMetadata {
    var metadata = GGUFMetadata()
    let prefix = shape.architecture
    func number(_ value: Int) -> GGUFValue { .uint32(UInt32(value)) }
    let kvHeads = shape.isAttention.map { Int32($0 ? shape.keyValueHeadCount : 0) }

    metadata["general.architecture"] = .string(prefix)
    metadata["general.type"] = .string("model")
    metadata["general.name"] = .string("\(shape.name) (random weights)")
    metadata["general.size_label"] = .string(shape.sizeLabel)
    metadata["general.file_type"] = .uint32(mix.fileType)
    metadata["general.quantization_version"] = .uint32(2)
    metadata["\(prefix).block_count"] = number(shape.layerCount)
    metadata["\(prefix).context_length"] = number(shape.contextLength)
    metadata["\(prefix).embedding_length"] = number(shape.embeddingLength)
    metadata["\(prefix).feed_forward_length"] = number(shape.feedForwardLength)
    metadata["\(prefix).attention.head_count"] = number(shape.headCount)
    metadata["\(prefix).attention.head_count_kv"] = .array(GGUFArray(kvHeads))
    metadata["\(prefix).attention.layer_norm_rms_epsilon"] = .float32(1e-5)
    metadata["\(prefix).rope.freq_base"] = .float32(1_000_000)
    metadata["\(prefix).vocab_size"] = number(shape.vocabularySize)
    metadata["\(prefix).shortconv.l_cache"] = number(shape.convolutionLength)
    if let experts = shape.experts {
      metadata["\(prefix).expert_count"] = number(experts.count)
      metadata["\(prefix).expert_used_count"] = number(experts.usedCount)
      metadata["\(prefix).expert_feed_forward_length"] = number(experts.feedForwardLength)
      metadata["\(prefix).leading_dense_block_count"] = number(experts.leadingDenseLayers)
      metadata["\(prefix).expert_gating_func"] = .uint32(2)
    }
    addVocabulary(to: &metadata)
    return metadata
  }

  /// Replaces the made-up tokenizer by that of another file; its template, where it has one.
  private func copyVocabulary(from path: String, to metadata: inout GGUFMetadata) throws {
    let source = try GGUFFile(path: path).metadata
    for key in source.keys where key.hasPrefix("tokenizer.") { metadata[key] = source[key] }
  }

  private func addVocabulary(to metadata: inout GGUFMetadata) {
    let vocabulary = SyntheticVocabulary(size: shape.vocabularySize)
    metadata["tokenizer.ggml.model"] = .string("gpt2")
    metadata["tokenizer.ggml.pre"] = .string("lfm2")
    metadata["tokenizer.ggml.tokens"] = .array(GGUFArray(vocabulary.tokens))
    metadata["tokenizer.ggml.token_type"] = .array(GGUFArray(vocabulary.types))
    metadata["tokenizer.ggml.merges"] = .array(GGUFArray(vocabulary.merges))
    metadata["tokenizer.ggml.bos_token_id"] = .uint32(SyntheticVocabulary.beginToken)
    metadata["tokenizer.ggml.eos_token_id"] = .uint32(SyntheticVocabulary.endToken)
    metadata["tokenizer.ggml.padding_token_id"] = .uint32(0)
    metadata["tokenizer.ggml.add_bos_token"] = .bool(true)
    metadata["tokenizer.chat_template"] = .string(SyntheticVocabulary.chatTemplate)
  }
}
