import Compute
import Models

// Plain values that lead into the mapped file (matrices) or into memory the weights own (vectors).

/// A block of one of the two small transformers: what mixes rows, then a gated feed-forward part.
struct VoiceLayer {
  enum Mixer {
    case attention(VoiceAttention)
    /// A gated short convolution: in (3d, d), taps (d, length), out (d, d).
    case convolution(input: Matrix, taps: UnsafePointer<Float>, output: Matrix)
  }

  var mixerNorm: UnsafePointer<Float>  // (d)
  var mixer: Mixer
  var feedForwardNorm: UnsafePointer<Float>  // (d)
  var gate: Matrix  // (f, d)
  var up: Matrix  // (f, d)
  var down: Matrix  // (d, f)
}

struct VoiceAttention {
  /// One matrix of all, or three.
  var inputs: [Matrix]
  var queryNorm: UnsafePointer<Float>  // (head dimension)
  var keyNorm: UnsafePointer<Float>
  var output: Matrix
}

/// The numbers of a small transformer, all from its tensors.
struct VoiceShape: Equatable {
  var embeddingLength: Int
  var headDimension: Int
  var headCount: Int
  var keyValueHeadCount: Int
  var feedForwardLength: Int
  /// Taps of the short convolutions.
  var convolutionLength = 3
  /// So many of the latest positions are seen, the own one included.
  var window: Int
  /// Rotation of neighbours rather than of halves.
  var isInterleaved: Bool
  /// Rows that are computed together at most.
  var rows: Int

  static let ropeBase = 1_000_000.0
  static let normEpsilon: Float = 1e-5
}

/// The last norm and a product behind it.
struct VoiceHead {
  var norm: UnsafePointer<Float>  // (d)
  var linear: Linear
}

/// How products with quantised weights are computed.
public enum SpeechArithmetic: String, Sendable, CaseIterable {
  /// On the activations as they are.
  case float
  /// On activations rounded to int8 for each 32 values, as the text model does.
  case int8
  /// On activations rounded in three such steps: nearly as exact as floats, nearly as fast as int8.
  case precise

  /// How many steps activations are rounded in.
  var steps: Int { self == .precise ? 3 : 1 }
}
