import Compute

/// The activations of one image, sized by its number of patches; freed with it.
///
/// About `patches * (5 d + max(f, d)) * 4` bytes, 28 MB for a tile of 1,024 patches and the encoder of
/// LFM2-VL-450M, and 5 MB more where activations are rounded.
struct VisionScratch {
  let patches: Int
  let tokens: Int
  let gridWidth: Int
  let rowTaps: PositionWeights
  let columnTaps: PositionWeights

  let residual: AlignedBuffer<Float>  // (patches, d)
  let hidden: Activations  // (patches, d)
  /// Results of products: (patches, 3d), or fewer of them.
  let projections: AlignedBuffer<Float>
  // What is never alive at the same time shares its memory.
  let samples: Activations  // (patches, patch length)
  let attended: Activations  // (patches, d)
  let inner: Activations  // (patches, f)
  let unshuffled: Activations  // (tokens, d · downsample²)
  let projectorInner: Activations  // (tokens, projector length), in place of `hidden`
  let embeddings: AlignedBuffer<Float>  // (tokens, projection dimension)

  init(
    _ configuration: VisionConfiguration, gridWidth: Int, gridHeight: Int
  ) throws(VisionError) {
    tokens = try configuration.tokenCount(gridWidth: gridWidth, gridHeight: gridHeight)
    self.gridWidth = gridWidth
    patches = gridWidth * gridHeight
    let side = configuration.positionGridSide
    rowTaps = PositionWeights(patches: gridHeight, places: side)
    columnTaps = PositionWeights(patches: gridWidth, places: side)

    let d = configuration.embeddingLength
    let f = configuration.feedForwardLength
    let block = configuration.downsample * configuration.downsample
    // Whole groups of 32, so that every use finds room for its scales.
    func padded(_ length: Int) -> Int { (length + 31) / 32 * 32 }
    let shortest = padded((configuration.projectorLength + block - 1) / block)
    do {
      residual = try AlignedBuffer(count: patches * d)
      projections = try AlignedBuffer(count: patches * 3 * d)
      let normed = try Activations(rows: patches, columns: max(padded(d), shortest))
      let inputs = try Activations(
        rows: patches, columns: padded(max(f, d, configuration.patchLength)))
      hidden = Activations(sharing: normed, columns: d)
      samples = Activations(sharing: inputs, columns: configuration.patchLength)
      attended = Activations(sharing: inputs, columns: d)
      inner = Activations(sharing: inputs, columns: f)
      unshuffled = Activations(sharing: inputs, columns: d * block)
      projectorInner = Activations(sharing: normed, columns: configuration.projectorLength)
      embeddings = try AlignedBuffer(count: tokens * configuration.projectionDimension)
    } catch { throw .compute(error) }
  }
}
