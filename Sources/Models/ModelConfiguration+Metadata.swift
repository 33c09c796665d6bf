import GGUF

extension ModelConfiguration {
  /// Reads and checks everything the metadata tells; widths that only tensors tell truly
  /// (feed-forward, vocabulary, layer kinds where the head counts do not say) are passed in.
  init(_ file: GGUFFile, tensors: inout TensorLookup) throws(ModelError) {
    let keys = try MetadataReader(file)
    architecture = keys.architecture
    name = keys.text("general.name")

    layerCount = try keys.int("block_count", in: 1...512)
    try tensors.checkLayerCount(layerCount, key: keys.key("block_count"))
    embeddingLength = try keys.int("embedding_length", in: 1...65_536)
    contextLength = try keys.int("context_length", in: 1...(1 << 24))
    headCount = try keys.int("attention.head_count", in: 1...1_024)

    let keyLength = try keys.intIfPresent("attention.key_length", in: 2...1_024)
    if keyLength == nil && embeddingLength % headCount != 0 {
      throw .invalidKey(
        keys.key("attention.head_count"),
        reason: "\(headCount) heads do not divide the embedding length \(embeddingLength)")
    }
    headDimension = keyLength ?? embeddingLength / headCount
    if let valueLength = try keys.intIfPresent("attention.value_length", in: 1...1_024),
      valueLength != headDimension
    {
      throw .unsupportedFeature("values of another head size than the keys")
    }
    if headDimension % 2 != 0 {
      throw .invalidKey(
        keys.key("attention.head_count"), reason: "the head size \(headDimension) is odd")
    }
    keyValueHeadCounts = try keys.keyValueHeads(
      layers: layerCount, heads: headCount, tensors: tensors)

    normEpsilon = try keys.float(
      "attention.layer_norm_rms_epsilon", default: 1e-5, above: 0, below: 1)
    ropeBase = Double(
      try keys.float(
        "rope.freq_base", default: architecture == .llama ? 10_000 : 1_000_000, above: 0,
        below: .infinity))
    ropeDimension = try keys.intIfPresent("rope.dimension_count", in: 2...1_024) ?? headDimension
    if ropeDimension > headDimension || ropeDimension % 2 != 0 {
      throw .invalidKey(
        keys.key("rope.dimension_count"),
        reason: "\(ropeDimension) does not fit heads of \(headDimension)")
    }
    ropeScale = try keys.ropeScale()
    ropeInterleaved = architecture == .llama
    try keys.refuseUnsupported()

    let hasConvolutions = keyValueHeadCounts.contains(0)
    convolutionLength = hasConvolutions ? try keys.int("shortconv.l_cache", in: 2...64) : 0

    if architecture == .lfm2moe {
      expertCount = try keys.int("expert_count", in: 1...1_024)
      expertUsedCount = try keys.int("expert_used_count", in: 1...expertCount)
      expertFeedForwardLength = try tensors.expertWidth(
        claimed: keys.int("expert_feed_forward_length", in: 1...1_048_576))
      leadingDenseLayers =
        try keys.intIfPresent("leading_dense_block_count", in: 0...layerCount) ?? 0
    } else {
      (expertCount, expertUsedCount, expertFeedForwardLength) = (0, 0, 0)
      leadingDenseLayers = layerCount
    }
    feedForwardLength =
      leadingDenseLayers == 0
      ? 0
      : try tensors.feedForwardWidth(
        claimed: keys.intIfPresent("feed_forward_length", in: 1...1_048_576))
    vocabularySize = try tensors.vocabularySize(
      claimed: keys.intIfPresent("vocab_size", in: 1...(1 << 24)))
  }
}
