import Compute
import GGUF
import Models

// Plain values that lead into the mapped file (matrices) or into memory the weights own (vectors).

/// The weights of one block. d = embedding length, f = feed-forward length.
struct VisionLayer {
  var attentionNorm: LayerNorm
  var query: Linear  // (d, d)
  var key: Linear
  var value: Linear
  var output: Linear
  var feedForwardNorm: LayerNorm
  var up: Linear  // (f, d)
  var down: Linear  // (d, f)
}

/// All weights of an encoder.
struct VisionWeights: @unchecked Sendable {
  // Unchecked: pointers to memory that is written once, at load.
  let patches: Linear  // (d, patch length)
  let positions: UnsafePointer<Float>  // (side · side, d)
  let layers: [VisionLayer]
  let finalNorm: LayerNorm
  let projectorNorm: LayerNorm?
  let projectorUp: Linear
  let projectorDown: Linear
  /// Tensors that nothing reads, as readable sentences.
  let warnings: [String]
  private let owned: [AlignedBuffer<Float>]

  init(_ file: GGUFFile, _ configuration: VisionConfiguration) throws(ModelError) {
    var tensors = TensorLookup(file)
    let d = configuration.embeddingLength
    let side = configuration.positionGridSide

    let patchMatrix = try tensors.patchMatrix(configuration)
    patches = Linear(
      matrix: Matrix(
        data: patchMatrix.pointer, type: .F32, rows: d, columns: configuration.patchLength,
        rowBytes: configuration.patchLength * 4),
      bias: try tensors.floats("v.patch_embd.bias", shape: [d]))
    positions = try tensors.floats("v.position_embd.weight", shape: [d, side * side])
    var layers: [VisionLayer] = []
    for index in 0..<configuration.layerCount {
      layers.append(try tensors.layer("v.blk.\(index).", configuration))
    }
    self.layers = layers
    finalNorm = try tensors.norm("v.post_ln", d)

    let inputLength = d * configuration.downsample * configuration.downsample
    projectorNorm =
      configuration.projectorHasNorm ? try tensors.norm("mm.input_norm", inputLength) : nil
    projectorUp = try tensors.linear(
      "mm.1", rows: configuration.projectorLength, columns: inputLength, needsBias: false)
    projectorDown = try tensors.linear(
      "mm.2", rows: configuration.projectionDimension, columns: configuration.projectorLength,
      needsBias: false)
    warnings = tensors.unusedWarning()
    owned = tensors.owned + [patchMatrix]
  }
}

extension TensorLookup {
  fileprivate mutating func layer(
    _ block: String, _ configuration: VisionConfiguration
  ) throws(ModelError) -> VisionLayer {
    let (d, f) = (configuration.embeddingLength, configuration.feedForwardLength)
    return VisionLayer(
      attentionNorm: try norm(block + "ln1", d),
      query: try linear(block + "attn_q", rows: d, columns: d),
      key: try linear(block + "attn_k", rows: d, columns: d),
      value: try linear(block + "attn_v", rows: d, columns: d),
      output: try linear(block + "attn_out", rows: d, columns: d),
      feedForwardNorm: try norm(block + "ln2", d),
      up: try linear(block + "ffn_up", rows: f, columns: d),
      down: try linear(block + "ffn_down", rows: d, columns: f))
  }

  /// The patch weights with columns in the order of patches, (y, x, channel); the file has them as a
  /// convolution, (channel, y, x).
  fileprivate mutating func patchMatrix(
    _ configuration: VisionConfiguration
  ) throws(ModelError) -> AlignedBuffer<Float> {
    let (side, d) = (configuration.patchSize, configuration.embeddingLength)
    let source = try floats("v.patch_embd.weight", shape: [side, side, 3, d])
    let area = side * side
    let buffer: AlignedBuffer<Float>
    do { buffer = try AlignedBuffer(count: d * area * 3) } catch { throw .compute(error) }
    for row in 0..<d {
      let (from, to) = (source + row * area * 3, buffer.pointer + row * area * 3)
      for pixel in 0..<area {
        for channel in 0..<3 { to[pixel * 3 + channel] = from[channel * area + pixel] }
      }
    }
    return buffer
  }
}
