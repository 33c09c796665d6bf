import GGUF

/// The published dimensions of an audio model's companions: sound encoder (`mmproj`), vocoder and
/// detokenizer.
package struct SyntheticAudio: Sendable {
  package var name: String
  /// The text model's embedding length.
  var textWidth: Int
  // The encoder.
  var layerCount: Int
  var embeddingLength: Int
  var headCount: Int
  var feedForwardLength: Int
  var channelCount: Int
  // The depthformer.
  var depthLayers: Int
  var depthLength: Int
  var depthFeedForward: Int
  // The detokenizer, conv and attention in turns.
  var tokenizerLayers: Int
  var tokenizerLength: Int
  var tokenizerFeedForward: Int

  private static let heads = (depth: 32, depthKeys: 8, tokenizer: 16, tokenizerKeys: 8)
  private static let books = (count: 8, size: 2_049)

  package static let released = SyntheticAudio(
    name: "lfm2-audio-1.5b", textWidth: 2_048, layerCount: 17, embeddingLength: 512, headCount: 8,
    feedForwardLength: 2_048, channelCount: 256, depthLayers: 6, depthLength: 1_024,
    depthFeedForward: 2_816, tokenizerLayers: 8, tokenizerLength: 512, tokenizerFeedForward: 2_304)

  /// One small enough for tests, for a text model of a width.
  package static func tiny(textWidth: Int) -> SyntheticAudio {
    SyntheticAudio(
      name: "tiny-audio", textWidth: textWidth, layerCount: 2, embeddingLength: 64, headCount: 2,
      feedForwardLength: 96, channelCount: 16, depthLayers: 1, depthLength: 64,
      depthFeedForward: 96, tokenizerLayers: 2, tokenizerLength: 64, tokenizerFeedForward: 96)
  }

  /// The companion files of a text model.
  package enum Part: String, Sendable, CaseIterable {
    case mmproj, vocoder, tokenizer
  }
}

extension SyntheticFile {
  /// A companion of an audio model. Matrices whose rows are no whole number of blocks stay F16.
  package init(audio: SyntheticAudio, _ part: SyntheticAudio.Part, mix: QuantizationMix) {
    name = "\(part.rawValue)-\(audio.name)-\(mix.rawValue)"
    (metadata, tensors) =
      switch part {
      case .mmproj: (audio.encoderMetadata, audio.encoderTensors.typed(mix.base))
      case .vocoder: (audio.vocoderMetadata, audio.vocoderTensors.typed(mix.base))
      case .tokenizer: (audio.tokenizerMetadata, audio.tokenizerTensors.typed(mix.base))
      }
  }
}

extension [SyntheticTensor] {
  /// Matrices of a type where their rows allow it, F16 where not, everything else F32.
  func typed(_ type: TensorType) -> [(tensor: SyntheticTensor, type: TensorType)] {
    map { tensor in
      guard tensor.role == .weight else { return (tensor, .F32) }
      return (tensor, tensor.dimensions[0].isMultiple(of: type.blockSize) ? type : .F16)
    }
  }
}

extension SyntheticAudio {
  private func metadata(_ architecture: String, _ part: String) -> GGUFMetadata {
    var metadata = GGUFMetadata()
    metadata["general.architecture"] = .string(architecture)
    metadata["general.name"] = .string("\(name) \(part) (random weights)")
    return metadata
  }

  fileprivate var encoderMetadata: GGUFMetadata {
    var metadata = metadata("clip", "encoder")
    func set(_ key: String, _ value: Int) { metadata["clip.audio." + key] = .uint32(UInt32(value)) }
    metadata["general.type"] = .string("mmproj")
    metadata["clip.has_audio_encoder"] = .bool(true)
    metadata["clip.projector_type"] = .string("lfm2a")
    set("projection_dim", textWidth)
    set("embedding_length", embeddingLength)
    // Wrong, as in released files.
    set("feed_forward_length", embeddingLength)
    set("block_count", layerCount)
    set("attention.head_count", headCount)
    set("num_mel_bins", 128)
    metadata["clip.audio.attention.layer_norm_epsilon"] = .float32(1e-5)
    return metadata
  }

  fileprivate var encoderTensors: [SyntheticTensor] {
    var tensors = SyntheticTensors()
    let (d, f, channels) = (embeddingLength, feedForwardLength, channelCount)
    for (index, shape) in [
      (0, [3, 3, 1, channels]), (2, [3, 3, 1, channels]), (3, [1, 1, channels, channels]),
      (5, [3, 3, 1, channels]), (6, [1, 1, channels, channels]),
    ] {
      tensors.add("a.conv1d.\(index).weight", shape, .float)
      tensors.add("a.conv1d.\(index).bias", [1, 1, channels], .bias)
    }
    tensors.linear("a.pre_encode.out", 16 * channels, d)
    for layer in 0..<layerCount {
      let block = "a.blk.\(layer)."
      for suffix in ["", "_1"] {
        tensors.norm(block + "ffn_norm" + suffix, d)
        tensors.linear(block + "ffn_up" + suffix, d, f)
        tensors.linear(block + "ffn_down" + suffix, f, d)
      }
      tensors.norm(block + "ln1", d)
      for name in ["attn_q", "attn_k", "attn_v", "attn_out"] { tensors.linear(block + name, d, d) }
      tensors.matrix(block + "linear_pos", d, d)
      for name in ["pos_bias_u", "pos_bias_v"] {
        tensors.add(block + name, [d / headCount, headCount], .float)
      }
      tensors.norm(block + "norm_conv", d)
      tensors.linear(block + "conv_pw1", d, 2 * d)
      tensors.add(block + "conv_dw.weight", [9, d], .float)
      tensors.add(block + "conv_dw.bias", [d], .bias)
      tensors.norm(block + "conv_norm", d)
      tensors.linear(block + "conv_pw2", d, d)
      tensors.norm(block + "ln2", d)
    }
    tensors.norm("mm.a.mlp.0", d)
    tensors.linear("mm.a.mlp.1", d, textWidth)
    tensors.linear("mm.a.mlp.3", textWidth, textWidth)
    return tensors.all
  }

  fileprivate var vocoderMetadata: GGUFMetadata {
    var metadata = metadata(
      "this model cannot be used as LLM, use it via --model-vocoder in TTS examples", "vocoder")
    metadata["depthformer_n_layer"] = .uint32(UInt32(depthLayers))
    metadata["depthformer_n_embd"] = .uint32(UInt32(depthLength))
    return metadata
  }

  fileprivate var vocoderTensors: [SyntheticTensor] {
    var tensors = SyntheticTensors()
    let (d, f, books) = (depthLength, depthFeedForward, Self.books)
    let dimension = d / Self.heads.depth
    tensors.linear("depth_linear", textWidth, books.count * d)
    for book in 0..<books.count {
      let name = "depth_embeddings.\(book)."
      tensors.matrix(name + "embedding", d, books.size)
      tensors.add(name + "embedding_norm.weight", [d], .norm)
    }
    for layer in 0..<depthLayers {
      let name = "depthformer.layers.\(layer)."
      tensors.add(name + "operator_norm.weight", [d], .norm)
      tensors.matrix(
        name + "operator.qkv_proj", d, (Self.heads.depth + 2 * Self.heads.depthKeys) * dimension)
      tensors.matrix(name + "operator.out_proj", d, d)
      for norm in ["q_layernorm", "k_layernorm"] {
        tensors.add(name + "operator.attention.\(norm).weight", [dimension], .norm)
      }
      tensors.add(name + "ffn_norm.weight", [d], .norm)
      tensors.matrix(name + "feed_forward.w1", d, f)
      tensors.matrix(name + "feed_forward.w3", d, f)
      tensors.matrix(name + "feed_forward.w2", f, d)
    }
    tensors.matrix("audio_embedding.embedding", textWidth, books.count * books.size)
    tensors.matrix("emb.emb", tokenizerLength, books.count * (books.size - 1))
    return tensors.all
  }

  fileprivate var tokenizerMetadata: GGUFMetadata {
    var metadata = metadata("lfm2", "detokenizer")
    metadata["tokenizer.ggml.model"] = .string("none")
    metadata["lfm2.block_count"] = .uint32(UInt32(tokenizerLayers))
    metadata["lfm2.embedding_length"] = .uint32(UInt32(tokenizerLength))
    metadata["lfm2.attention.sliding_window"] = .uint32(30)
    return metadata
  }

  fileprivate var tokenizerTensors: [SyntheticTensor] {
    var tensors = SyntheticTensors()
    let (d, f) = (tokenizerLength, tokenizerFeedForward)
    let dimension = d / Self.heads.tokenizer
    for layer in 0..<tokenizerLayers {
      let block = "blk.\(layer)."
      tensors.add(block + "attn_norm.weight", [d], .norm)
      tensors.add(block + "ffn_norm.weight", [d], .norm)
      // Released: convolution twice at first, then in turns.
      if layer >= 2 ? layer.isMultiple(of: 2) : tokenizerLayers == 2 && layer == 1 {
        tensors.matrix(block + "attn_q", d, d)
        tensors.matrix(block + "attn_k", d, Self.heads.tokenizerKeys * dimension)
        tensors.matrix(block + "attn_v", d, Self.heads.tokenizerKeys * dimension)
        tensors.matrix(block + "attn_output", d, d)
        tensors.add(block + "attn_q_norm.weight", [dimension], .norm)
        tensors.add(block + "attn_k_norm.weight", [dimension], .norm)
      } else {
        tensors.add(block + "shortconv.conv.weight", [3, d], .float)
        tensors.matrix(block + "shortconv.in_proj", d, 3 * d)
        tensors.matrix(block + "shortconv.out_proj", d, d)
      }
      tensors.matrix(block + "ffn_gate", d, f)
      tensors.matrix(block + "ffn_up", d, f)
      tensors.matrix(block + "ffn_down", f, d)
    }
    tensors.add("token_embd_norm.weight", [d], .norm)
    tensors.linear("dense_2", d, 1_282)
    return tensors.all
  }
}
