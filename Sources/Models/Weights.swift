import Compute

// Plain values that lead into the mapped file (matrices) or into memory the model owns (vectors).
// They hold no references, so the forward pass reads them without reference counting.

/// The weights of one block. d = embedding length.
struct LayerWeights: @unchecked Sendable {
  // Unchecked: pointers to memory that is written once, at load.
  var mixerNorm: UnsafePointer<Float>  // (d)
  var mixer: Mixer
  var feedForwardNorm: UnsafePointer<Float>  // (d)
  var feedForward: FeedForward
}

enum Mixer {
  case attention(AttentionWeights)
  case convolution(ConvolutionWeights)
}

struct AttentionWeights {
  var query: Matrix  // (heads · headDim, d)
  var key: Matrix  // (kvHeads · headDim, d)
  var value: Matrix  // (kvHeads · headDim, d)
  var output: Matrix  // (d, heads · headDim)
  var queryNorm: UnsafePointer<Float>?  // (headDim)
  var keyNorm: UnsafePointer<Float>?  // (headDim)
  var keyValueHeads: Int
}

struct ConvolutionWeights {
  var input: Matrix  // (3d, d): B, C, x
  var kernel: UnsafePointer<Float>  // (d, length), oldest tap first
  var output: Matrix  // (d, d)
}

enum FeedForward {
  case dense(gate: Matrix, up: Matrix, down: Matrix)  // (f, d), (f, d), (d, f)
  case experts(ExpertWeights)
}

struct ExpertWeights {
  var router: Matrix  // (experts, d)
  var selectionBias: UnsafePointer<Float>?  // (experts)
  var gate: Matrix  // (experts · e, d)
  var up: Matrix  // (experts · e, d)
  var down: Matrix  // (experts · d, e)
}
