import Compute

/// The activations of one clip, sized by its number of rows; freed with it.
///
/// About `rows * (9 d + max(f, 3 d)) * 4` bytes, and 20 MB for the convolutions before, whatever the
/// length: 40 MB for half a minute and the encoder of LFM2-Audio.
struct SpeechEncoderScratch {
  /// Rows that the convolutions make at a time.
  static let blockRows = 32

  let frames: Int
  let rows: Int
  let residual: AlignedBuffer<Float>  // (rows, d)
  let hidden: AlignedBuffer<Float>  // (rows, d)
  let attended: AlignedBuffer<Float>  // (rows, d), also the queries for distances
  let inner: AlignedBuffer<Float>  // (rows, max(f, 3d, 2d, adapter length)): results of products
  let positions: AlignedBuffer<Float>  // (2 · rows - 1, d)
  let relative: AlignedBuffer<Float>  // (2 · rows - 1, d)
  let output: AlignedBuffer<Float>  // (rows, projection dimension)

  /// The convolutions' results, for the block of rows at hand: (time, band, channel).
  let first: AlignedBuffer<Float>
  let second: AlignedBuffer<Float>
  let secondMixed: AlignedBuffer<Float>
  let third: AlignedBuffer<Float>
  let thirdMixed: AlignedBuffer<Float>
  let flat: AlignedBuffer<Float>  // (block rows, channels · bands left)

  init(_ configuration: SpeechConfiguration, frames: Int) throws(ComputeError) {
    self.frames = frames
    rows = SpeechConfiguration.rowCount(frames: frames)
    let d = configuration.embeddingLength
    residual = try AlignedBuffer(count: rows * d)
    hidden = try AlignedBuffer(count: rows * d)
    attended = try AlignedBuffer(count: rows * d)
    inner = try AlignedBuffer(
      count: rows * max(configuration.feedForwardLength, 3 * d, configuration.adapterLength))
    positions = try AlignedBuffer(count: (2 * rows - 1) * d)
    relative = try AlignedBuffer(count: (2 * rows - 1) * d)
    output = try AlignedBuffer(count: rows * configuration.projectionDimension)

    let channels = configuration.channelCount
    let block = Self.blockRows
    let bands = configuration.bandCount
    let (half, quarter) = (
      SpeechConfiguration.halved(bands),
      SpeechConfiguration.halved(SpeechConfiguration.halved(bands))
    )
    first = try AlignedBuffer(count: (4 * block + 3) * half * channels)
    second = try AlignedBuffer(count: (2 * block + 1) * quarter * channels)
    secondMixed = try AlignedBuffer(count: (2 * block + 1) * quarter * channels)
    third = try AlignedBuffer(count: block * configuration.bandsLeft * channels)
    thirdMixed = try AlignedBuffer(count: block * configuration.bandsLeft * channels)
    flat = try AlignedBuffer(count: block * configuration.bandsLeft * channels)
  }
}
