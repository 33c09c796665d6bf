import GGUF

extension SyntheticFile {
  /// A text model.
  ///
  /// - Parameter vocabulary: a GGUF file whose tokenizer and template are copied; nil makes them up.
  package init(
    shape: SyntheticShape, mix: QuantizationMix, vocabulary: String? = nil
  ) throws(GGUFError) {
    name = "\(shape.name)-\(mix.rawValue)"
    var metadata = shape.metadata(mix)
    if let vocabulary {
      let source = try GGUFFile(path: vocabulary).metadata
      for key in source.keys where key.hasPrefix("tokenizer.") { metadata[key] = source[key] }
    } else {
      SyntheticVocabulary(size: shape.vocabularySize).write(to: &metadata)
    }
    self.metadata = metadata
    tensors = shape.tensors.map { ($0, mix.type(of: $0, in: shape)) }
  }
}

extension SyntheticShape {
  fileprivate func metadata(_ mix: QuantizationMix) -> GGUFMetadata {
    var metadata = GGUFMetadata()
    let prefix = architecture
    func number(_ value: Int) -> GGUFValue { .uint32(UInt32(value)) }
    let kvHeads = isAttention.map { Int32($0 ? keyValueHeadCount : 0) }

    metadata["general.architecture"] = .string(prefix)
    metadata["general.type"] = .string("model")
    metadata["general.name"] = .string("\(name) (random weights)")
    metadata["general.size_label"] = .string(sizeLabel)
    metadata["general.file_type"] = .uint32(mix.fileType)
    metadata["general.quantization_version"] = .uint32(2)
    metadata["\(prefix).block_count"] = number(layerCount)
    metadata["\(prefix).context_length"] = number(contextLength)
    metadata["\(prefix).embedding_length"] = number(embeddingLength)
    metadata["\(prefix).feed_forward_length"] = number(feedForwardLength)
    metadata["\(prefix).attention.head_count"] = number(headCount)
    metadata["\(prefix).attention.head_count_kv"] = .array(GGUFArray(kvHeads))
    metadata["\(prefix).attention.layer_norm_rms_epsilon"] = .float32(1e-5)
    metadata["\(prefix).rope.freq_base"] = .float32(1_000_000)
    metadata["\(prefix).vocab_size"] = number(vocabularySize)
    metadata["\(prefix).shortconv.l_cache"] = number(convolutionLength)
    if let experts {
      metadata["\(prefix).expert_count"] = number(experts.count)
      metadata["\(prefix).expert_used_count"] = number(experts.usedCount)
      metadata["\(prefix).expert_feed_forward_length"] = number(experts.feedForwardLength)
      metadata["\(prefix).leading_dense_block_count"] = number(experts.leadingDenseLayers)
      metadata["\(prefix).expert_gating_func"] = .uint32(2)
    }
    return metadata
  }
}

extension SyntheticVocabulary {
  fileprivate func write(to metadata: inout GGUFMetadata) {
    metadata["tokenizer.ggml.model"] = .string("gpt2")
    metadata["tokenizer.ggml.pre"] = .string("lfm2")
    metadata["tokenizer.ggml.tokens"] = .array(GGUFArray(tokens))
    metadata["tokenizer.ggml.token_type"] = .array(GGUFArray(types))
    metadata["tokenizer.ggml.merges"] = .array(GGUFArray(merges))
    metadata["tokenizer.ggml.bos_token_id"] = .uint32(Self.beginToken)
    metadata["tokenizer.ggml.eos_token_id"] = .uint32(Self.endToken)
    metadata["tokenizer.ggml.padding_token_id"] = .uint32(0)
    metadata["tokenizer.ggml.add_bos_token"] = .bool(true)
    metadata["tokenizer.chat_template"] = .string(Self.chatTemplate)
  }
}
