import Compute
import GGUF
import Models

// Plain values that lead into the mapped file (matrices) or into memory the weights own (vectors).

/// A half step: `x + 1/2 W_down silu(W_up norm(x))`.
struct SpeechFeedForward {
  var norm: LayerNorm
  var up: Linear  // (f, d)
  var down: Linear  // (d, f)
}

/// The weights of one layer. d = embedding length, f = feed-forward length.
struct SpeechLayer {
  var first: SpeechFeedForward
  var attentionNorm: LayerNorm
  /// With the bias that contents are compared with.
  var query: Linear  // (d, d)
  var key: Linear
  var value: Linear
  var output: Linear
  var relative: Linear  // (d, d), without bias
  /// From the bias for contents to that for distances.
  var distanceBias: UnsafePointer<Float>  // (d)
  var convolutionNorm: LayerNorm
  var gated: Linear  // (2d, d)
  var taps: UnsafePointer<Float>  // (taps, d)
  var tapBias: UnsafePointer<Float>  // (d)
  /// The batch norm, folded.
  var scale: UnsafePointer<Float>  // (d)
  var shift: UnsafePointer<Float>  // (d)
  var pointwise: Linear  // (d, d)
  var second: SpeechFeedForward
  var finalNorm: LayerNorm
}

/// A convolution that halves time and bands, one channel at a time, and what mixes the channels.
struct SpeechReduction {
  var taps: UnsafePointer<Float>  // (9, channels)
  var bias: UnsafePointer<Float>  // (channels)
  var mixing: Linear  // (channels, channels)
}

/// All weights of an encoder.
struct SpeechEncoderWeights: @unchecked Sendable {
  // Unchecked: pointers to memory that is written once, at load.
  /// From one channel to all, (9, channels).
  let firstTaps: UnsafePointer<Float>
  let firstBias: UnsafePointer<Float>
  let reductions: [SpeechReduction]
  let input: Linear  // (d, channels · bands left)
  let layers: [SpeechLayer]
  let adapterNorm: LayerNorm
  let adapterUp: Linear
  let adapterDown: Linear
  private let owned: [AlignedBuffer<Float>]

  init(_ file: GGUFFile, _ configuration: SpeechConfiguration) throws(ModelError) {
    var source = SpeechTensors(file, configuration)
    let channels = configuration.channelCount
    (firstTaps, firstBias) = (try source.taps("0"), try source.convolutionBias("0"))
    reductions = try [("2", "3"), ("5", "6")].map { (depth, point) throws(ModelError) in
      SpeechReduction(
        taps: try source.taps(depth), bias: try source.convolutionBias(depth),
        mixing: Linear(
          matrix: Matrix(
            data: try source.table("conv1d.\(point).weight", [channels, channels]), type: .F32,
            rows: channels, columns: channels, rowBytes: channels * 4),
          bias: try source.convolutionBias(point)))
    }
    let d = configuration.embeddingLength
    let prefix = file.tensor(named: "a.pre_encode.out.weight") == nil ? "" : "a."
    input = try source.tensors.linear(
      prefix + "pre_encode.out", rows: d, columns: channels * configuration.bandsLeft)
    layers = try (0..<configuration.layerCount).map { index throws(ModelError) in
      try source.layer("a.blk.\(index).")
    }
    adapterNorm = try source.tensors.norm("mm.a.mlp.0", d)
    adapterUp = try source.tensors.linear(
      "mm.a.mlp.1", rows: configuration.adapterLength, columns: d)
    adapterDown = try source.tensors.linear(
      "mm.a.mlp.3", rows: configuration.projectionDimension, columns: configuration.adapterLength)
    owned = source.tensors.owned + source.made
  }
}

/// Reads tensors in the forms that the passes want.
private struct SpeechTensors {
  var tensors: TensorLookup
  private let shape: SpeechConfiguration
  /// Tables that are in no file as they are.
  private(set) var made: [AlignedBuffer<Float>] = []

  init(_ file: GGUFFile, _ shape: SpeechConfiguration) {
    tensors = TensorLookup(file)
    self.shape = shape
    d = shape.embeddingLength
  }

  private let d: Int

  /// A tensor of the convolutions before the layers, whose names some files shorten.
  mutating func table(
    _ name: String, _ dimensions: [Int]
  ) throws(ModelError) -> UnsafePointer<Float> {
    try tensors.squeezedFloats(["a." + name, name], shape: dimensions)
  }

  mutating func convolutionBias(_ index: String) throws(ModelError) -> UnsafePointer<Float> {
    try table("conv1d.\(index).bias", [shape.channelCount])
  }

  /// Taps (channel, time, band) as (time, band, channel).
  mutating func taps(_ index: String) throws(ModelError) -> UnsafePointer<Float> {
    let source = try table("conv1d.\(index).weight", [3, 3, shape.channelCount])
    return try transposed(source, rows: shape.channelCount, columns: 9)
  }

  private mutating func transposed(
    _ source: UnsafePointer<Float>, rows: Int, columns: Int
  ) throws(ModelError) -> UnsafePointer<Float> {
    try make(rows * columns) { out in
      for row in 0..<rows {
        for column in 0..<columns { out[column * rows + row] = source[row * columns + column] }
      }
    }
  }

  private mutating func make(
    _ count: Int, _ fill: (UnsafeMutablePointer<Float>) -> Void
  ) throws(ModelError) -> UnsafePointer<Float> {
    let buffer: AlignedBuffer<Float>
    do { buffer = try AlignedBuffer(count: count) } catch { throw .compute(error) }
    fill(buffer.pointer)
    made.append(buffer)
    return UnsafePointer(buffer.pointer)
  }

  mutating func layer(_ block: String) throws(ModelError) -> SpeechLayer {
    let heads = [shape.headDimension, shape.headCount]
    let content = try tensors.squeezedFloats(
      [block + "pos_bias_u", block + "pos_bias_u.weight"], shape: heads)
    let distance = try tensors.squeezedFloats(
      [block + "pos_bias_v", block + "pos_bias_v.weight"], shape: heads)
    var query = try tensors.linear(block + "attn_q", rows: d, columns: d)
    let own = query.bias
    query.bias = try make(d) { [d] out in
      for index in 0..<d { out[index] = (own?[index] ?? 0) + content[index] }
    }
    let (scale, shift) = try batchNorm(block)
    return SpeechLayer(
      first: try feedForward(block, ""), attentionNorm: try tensors.norm(block + "ln1", d),
      query: query, key: try tensors.linear(block + "attn_k", rows: d, columns: d),
      value: try tensors.linear(block + "attn_v", rows: d, columns: d),
      output: try tensors.linear(block + "attn_out", rows: d, columns: d),
      relative: try tensors.linear(block + "linear_pos", rows: d, columns: d, needsBias: false),
      distanceBias: try make(d) { [d] out in
        for index in 0..<d { out[index] = distance[index] - content[index] }
      },
      convolutionNorm: try tensors.norm(block + "norm_conv", d),
      gated: try tensors.linear(block + "conv_pw1", rows: 2 * d, columns: d),
      taps: try transposed(
        tensors.squeezedFloats([block + "conv_dw.weight"], shape: [shape.kernelLength, d]),
        rows: d, columns: shape.kernelLength),
      tapBias: try tensors.squeezedFloats([block + "conv_dw.bias"], shape: [d]),
      scale: scale, shift: shift,
      pointwise: try tensors.linear(block + "conv_pw2", rows: d, columns: d),
      second: try feedForward(block, "_1"), finalNorm: try tensors.norm(block + "ln2", d))
  }

  private mutating func feedForward(
    _ block: String, _ suffix: String
  ) throws(ModelError) -> SpeechFeedForward {
    let f = shape.feedForwardLength
    return SpeechFeedForward(
      norm: try tensors.norm(block + "ffn_norm" + suffix, d),
      up: try tensors.linear(block + "ffn_up" + suffix, rows: f, columns: d),
      down: try tensors.linear(block + "ffn_down" + suffix, rows: d, columns: f))
  }

  /// One factor and one addend for each channel; files may hold the mean and the variance instead.
  private mutating func batchNorm(
    _ block: String
  ) throws(ModelError) -> (UnsafePointer<Float>, UnsafePointer<Float>) {
    let norm = try tensors.norm(block + "conv_norm", d)
    let names = ["conv_norm_mean", "conv_norm.running_mean"].map { block + $0 }
    guard names.contains(where: tensors.exists) else { return (norm.weight, norm.bias) }
    let mean = try tensors.squeezedFloats(names, shape: [d])
    let variance = try tensors.squeezedFloats(
      ["conv_norm_var", "conv_norm.running_var"].map { block + $0 }, shape: [d])
    let scale = try make(d) { [d] out in
      for index in 0..<d { out[index] = norm.weight[index] / (variance[index] + 1e-5).squareRoot() }
    }
    return (
      scale,
      try make(d) { [d] out in
        for index in 0..<d { out[index] = norm.bias[index] - mean[index] * scale[index] }
      }
    )
  }
}
