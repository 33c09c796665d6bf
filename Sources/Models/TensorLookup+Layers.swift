import Compute

extension TensorLookup {
  /// The weights of block `index`.
  mutating func layer(
    _ index: Int, _ configuration: ModelConfiguration
  ) throws(ModelError) -> LayerWeights {
    let d = configuration.embeddingLength
    let block = "blk.\(index)."
    let kvHeads = configuration.keyValueHeadCounts[index]
    return LayerWeights(
      mixerNorm: try floats(block + "attn_norm.weight", shape: [d]),
      mixer: kvHeads > 0
        ? .attention(try attention(block, configuration, kvHeads))
        : .convolution(try convolution(block, configuration)),
      feedForwardNorm: try floats(block + "ffn_norm.weight", shape: [d]),
      feedForward: index >= configuration.leadingDenseLayers
        ? try experts(block, configuration) : try dense(block, configuration))
  }

  private mutating func attention(
    _ block: String, _ configuration: ModelConfiguration, _ kvHeads: Int
  ) throws(ModelError) -> AttentionWeights {
    let d = configuration.embeddingLength
    let queryRows = configuration.queryLength
    let kvRows = kvHeads * configuration.headDimension
    try refuseBiases(block)

    let query: Matrix
    let key: Matrix
    let value: Matrix
    if exists(block + "attn_qkv.weight") {
      let fused = try matrix(block + "attn_qkv.weight", rows: queryRows + 2 * kvRows, columns: d)
      query = fused.rows(0..<queryRows)
      key = fused.rows(queryRows..<queryRows + kvRows)
      value = fused.rows(queryRows + kvRows..<queryRows + 2 * kvRows)
    } else {
      query = try matrix(block + "attn_q.weight", rows: queryRows, columns: d)
      key = try matrix(block + "attn_k.weight", rows: kvRows, columns: d)
      value = try matrix(block + "attn_v.weight", rows: kvRows, columns: d)
    }
    let normalised = configuration.architecture != .llama
    return AttentionWeights(
      query: query, key: key, value: value,
      output: try matrix(block + "attn_output.weight", rows: d, columns: queryRows),
      queryNorm: normalised
        ? try floats(block + "attn_q_norm.weight", shape: [configuration.headDimension]) : nil,
      keyNorm: normalised
        ? try floats(block + "attn_k_norm.weight", shape: [configuration.headDimension]) : nil,
      keyValueHeads: kvHeads)
  }

  private mutating func convolution(
    _ block: String, _ configuration: ModelConfiguration
  ) throws(ModelError) -> ConvolutionWeights {
    let d = configuration.embeddingLength
    return ConvolutionWeights(
      input: try matrix(block + "shortconv.in_proj.weight", rows: 3 * d, columns: d),
      kernel: try floats(
        block + "shortconv.conv.weight", shape: [configuration.convolutionLength, d]),
      output: try matrix(block + "shortconv.out_proj.weight", rows: d, columns: d))
  }

  private mutating func dense(
    _ block: String, _ configuration: ModelConfiguration
  ) throws(ModelError) -> FeedForward {
    let d = configuration.embeddingLength
    let f = configuration.feedForwardLength
    return .dense(
      gate: try matrix(block + "ffn_gate.weight", rows: f, columns: d),
      up: try matrix(block + "ffn_up.weight", rows: f, columns: d),
      down: try matrix(block + "ffn_down.weight", rows: d, columns: f))
  }

  private mutating func experts(
    _ block: String, _ configuration: ModelConfiguration
  ) throws(ModelError) -> FeedForward {
    let d = configuration.embeddingLength
    let e = configuration.expertFeedForwardLength
    let count = configuration.expertCount
    let bias = block + "exp_probs_b.bias"
    return .experts(
      ExpertWeights(
        router: try matrix(block + "ffn_gate_inp.weight", rows: count, columns: d),
        selectionBias: exists(bias) ? try floats(bias, shape: [count]) : nil,
        gate: try matrix(block + "ffn_gate_exps.weight", rows: e, columns: d, planes: count),
        up: try matrix(block + "ffn_up_exps.weight", rows: e, columns: d, planes: count),
        down: try matrix(block + "ffn_down_exps.weight", rows: d, columns: e, planes: count)))
  }

  /// Relatives of the supported architectures carry biases; ignoring them would compute nonsense.
  private func refuseBiases(_ block: String) throws(ModelError) {
    for name in ["attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias", "attn_qkv.bias"]
    where exists(block + name) {
      throw .unsupportedFeature("attention biases (tensor \"\(block)\(name)\")")
    }
  }

  /// One sentence about tensors that nothing reads, if there are any.
  package func unusedWarning() -> [String] {
    let unused = file.tensors.map(\.name).filter { !used.contains($0) }
    guard let first = unused.first else { return [] }
    let more = unused.count > 1 ? " and \(unused.count - 1) more" : ""
    return ["The tensor \"\(first)\"\(more) is not used by this architecture and was ignored."]
  }
}
