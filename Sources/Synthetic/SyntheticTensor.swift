/// A tensor of a shape, before it has a type.
struct SyntheticTensor: Sendable {
  enum Role: Equatable, Sendable {
    /// All ones, F32.
    case norm
    /// All zeros, F32.
    case bias
    /// Random, kept F32 in every mix: the taps of convolutions, the router.
    case float
    /// The embedding, which is also the output matrix.
    case embedding
    case attentionValue(attentionIndex: Int)
    case feedForwardDown(layer: Int)
    case weight
  }

  var name: String
  /// In GGUF order, the fastest first.
  var dimensions: [Int]
  var role: Role

  var elementCount: Int { dimensions.reduce(1, *) }
}
