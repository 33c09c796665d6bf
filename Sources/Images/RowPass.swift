/// Resizes rows across. Sixteen of them are worked on at a time; meanwhile they lie on their side, so
/// that what is a neighbour in memory has the same weight.
struct RowPass {
  /// Samples of a row of the picture, and of the result.
  let rowLength: Int
  let outLength: Int
  private let weights: ResamplingWeights
  private let columns: Range<Int>
  /// The columns of the picture that the wanted ones are made of.
  private let sources: Range<Int>

  private static let rowsTogether = 16

  init(_ weights: ResamplingWeights, _ columns: Range<Int>, rowLength: Int) {
    self.weights = weights
    self.columns = columns
    self.rowLength = rowLength
    sources = weights.sources(of: columns)
    outLength = columns.count * 3
  }

  /// - Parameters:
  ///   - source: `rows` whole rows of the picture.
  ///   - out: `rows` rows of `outLength` samples.
  func resize(_ source: UnsafeRawPointer, rows: Int, _ out: UnsafeMutablePointer<UInt8>) {
    let whole = rows & ~(Self.rowsTogether - 1)
    if whole > 0 {
      // No more than the picture itself has, which is at least this high.
      let scratchBytes = (sources.count * 3 + outLength) * Self.rowsTogether
      withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 16) { scratch in
        guard let scratch = scratch.baseAddress else { return }
        for row in stride(from: 0, to: whole, by: Self.rowsTogether) {
          resizeTogether(source + row * rowLength, out + row * outLength, scratch)
        }
      }
    }
    for row in whole..<rows { resizeRow(source + row * rowLength, out + row * outLength) }
  }

  private func resizeTogether(
    _ source: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>,
    _ scratch: UnsafeMutableRawPointer
  ) {
    let together = Self.rowsTogether
    let resized = scratch + sources.count * 3 * together
    turn(
      source + sources.lowerBound * 3, rows: together, stride: rowLength,
      samples: sources.count * 3, scratch, outStride: together)
    for column in columns {
      let first = scratch + (weights.starts[column] - sources.lowerBound) * 3 * together
      let target = resized + (column - columns.lowerBound) * 3 * together
      weights.withTaps(of: column) { taps in
        for channel in 0..<3 {
          let offset = channel * together
          weightedSixteen(first + offset, stride: 3 * together, taps, target + offset)
        }
      }
    }
    turn(
      resized, rows: outLength, stride: together, samples: together, out, outStride: outLength)
  }

  private func resizeRow(_ source: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>) {
    for column in columns {
      let first = source + weights.starts[column] * 3
      let target = out + (column - columns.lowerBound) * 3
      weights.withTaps(of: column) { taps in
        for channel in 0..<3 { target[channel] = weightedSum(first + channel, stride: 3, taps) }
      }
    }
  }
}
