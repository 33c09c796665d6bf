/// The model families this engine computes.
public enum Architecture: String, Sendable, CaseIterable {
  case lfm2, lfm2moe, llama, qwen3
}

/// The numbers that shape a model, all read from its file.
public struct ModelConfiguration: Sendable, Equatable {
  public var architecture: Architecture
  public var name: String?
  public var layerCount: Int
  public var embeddingLength: Int
  public var headCount: Int
  /// Key/value heads per layer; 0 marks a short-convolution layer.
  public var keyValueHeadCounts: [Int]
  public var headDimension: Int
  /// Inner width of the dense feed-forward blocks, from the tensors; 0 if there are none.
  public var feedForwardLength: Int
  public var vocabularySize: Int
  /// Longest context the model was made for, in tokens.
  public var contextLength: Int
  public var normEpsilon: Float

  /// Taps of the short convolution; 0 without such layers.
  public var convolutionLength: Int

  public var ropeBase: Double
  public var ropeDimension: Int
  /// Positions are divided by this (linear rope scaling); 1 as a rule.
  public var ropeScale: Double
  /// Pairs are neighbours (llama) rather than half a head apart.
  public var ropeInterleaved: Bool

  public var expertCount: Int
  public var expertUsedCount: Int
  public var expertFeedForwardLength: Int
  public var leadingDenseLayers: Int

  public var attentionLayerCount: Int { keyValueHeadCounts.count { $0 > 0 } }
  public var convolutionLayerCount: Int { layerCount - attentionLayerCount }

  /// Tokens that must be replayed to rebuild the convolution state at a position: the state there
  /// depends on the last `convolutionLength - 1` inputs of each of the stacked layers.
  public var replayLength: Int {
    convolutionLayerCount == 0 ? 0 : (convolutionLength - 1) * convolutionLayerCount
  }

  /// Bytes of keys and values for one token.
  public func keyValueBytesPerToken(_ cache: CacheType) -> Int {
    keyValueHeadCounts.reduce(0, +) * headDimension * 2 * cache.elementBytes
  }

  /// Bytes of convolution state of one sequence.
  public var convolutionStateBytes: Int {
    convolutionLayerCount * max(0, convolutionLength - 1) * embeddingLength * 4
  }
}

/// How keys and values are kept.
public enum CacheType: String, Sendable, CaseIterable {
  case f16, f32
  public var elementBytes: Int { self == .f16 ? 2 : 4 }
}
