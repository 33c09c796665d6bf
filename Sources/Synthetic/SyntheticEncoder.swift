import GGUF

/// The published dimensions of an image encoder with its projector (`mmproj`).
package struct SyntheticEncoder: Sendable {
  package var name: String
  var layerCount: Int
  var embeddingLength: Int
  var headCount: Int
  var feedForwardLength: Int
  /// Inner width of the projector.
  var projectorLength: Int
  /// The text model's.
  var projectionDimension: Int

  private static let patchSize = 16
  private static let gridSide = 16
  private static let downsample = 2

  package static let all: [SyntheticEncoder] = [
    SyntheticEncoder(
      name: "lfm2-vl-450m", layerCount: 12, embeddingLength: 768, headCount: 12,
      feedForwardLength: 3_072, projectorLength: 2_560, projectionDimension: 1_024),
    SyntheticEncoder(
      name: "lfm2-vl-1.6b", layerCount: 26, embeddingLength: 1_152, headCount: 16,
      feedForwardLength: 4_304, projectorLength: 2_560, projectionDimension: 2_048),
  ]

  package static func named(_ name: String) -> SyntheticEncoder? { all.first { $0.name == name } }

  /// One small enough for tests, for a text model of a width.
  package static func tiny(projectionDimension: Int) -> SyntheticEncoder {
    SyntheticEncoder(
      name: "tiny-vl", layerCount: 2, embeddingLength: 64, headCount: 2, feedForwardLength: 128,
      projectorLength: 96, projectionDimension: projectionDimension)
  }
}

extension SyntheticFile {
  /// An image encoder. Matrices whose rows are no whole number of blocks stay F16.
  package init(encoder: SyntheticEncoder, mix: QuantizationMix) {
    name = "mmproj-\(encoder.name)-\(mix.rawValue)"
    metadata = encoder.metadata
    tensors = encoder.tensors.typed(mix.base)
  }
}

extension SyntheticEncoder {
  fileprivate var metadata: GGUFMetadata {
    var metadata = GGUFMetadata()
    func set(_ key: String, _ value: Int) {
      metadata["clip.vision." + key] = .uint32(UInt32(value))
    }
    let halves = GGUFValue.array(GGUFArray([0.5, 0.5, 0.5] as [Float]))
    metadata["general.architecture"] = .string("clip")
    metadata["general.type"] = .string("mmproj")
    metadata["general.name"] = .string("\(name) (random weights)")
    metadata["clip.has_vision_encoder"] = .bool(true)
    metadata["clip.projector_type"] = .string("lfm2")
    metadata["clip.use_gelu"] = .bool(true)
    set("image_size", Self.gridSide * Self.patchSize)
    set("patch_size", Self.patchSize)
    set("embedding_length", embeddingLength)
    set("feed_forward_length", feedForwardLength)
    set("attention.head_count", headCount)
    set("block_count", layerCount)
    set("projection_dim", projectionDimension)
    set("projector.scale_factor", Self.downsample)
    metadata["clip.vision.image_mean"] = halves
    metadata["clip.vision.image_std"] = halves
    metadata["clip.vision.attention.layer_norm_epsilon"] = .float32(1e-6)
    return metadata
  }

  fileprivate var tensors: [SyntheticTensor] {
    let (d, f) = (embeddingLength, feedForwardLength)
    var tensors = SyntheticTensors()
    tensors.add("v.patch_embd.weight", [Self.patchSize, Self.patchSize, 3, d], .float)
    tensors.add("v.patch_embd.bias", [d], .bias)
    tensors.add("v.position_embd.weight", [d, Self.gridSide * Self.gridSide], .float)
    for layer in 0..<layerCount {
      let block = "v.blk.\(layer)."
      tensors.norm(block + "ln1", d)
      for name in ["attn_q", "attn_k", "attn_v", "attn_out"] { tensors.linear(block + name, d, d) }
      tensors.norm(block + "ln2", d)
      tensors.linear(block + "ffn_up", d, f)
      tensors.linear(block + "ffn_down", f, d)
    }
    tensors.norm("v.post_ln", d)
    let cell = d * Self.downsample * Self.downsample
    tensors.norm("mm.input_norm", cell)
    tensors.linear("mm.1", cell, projectorLength)
    tensors.linear("mm.2", projectorLength, projectionDimension)
    return tensors.all
  }
}
