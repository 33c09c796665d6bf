import Compute
import Models

/// Rows of one stage of the convolutions, of which a buffer holds a part.
private struct Stage {
  let values: UnsafeMutablePointer<Float>
  /// Rows that the buffer holds, counted through the clip.
  let held: Range<Int>
  let bands: Int
  let channels: Int

  var rowLength: Int { bands * channels }

  func row(_ row: Int) -> UnsafeMutablePointer<Float> {
    values + (row - held.lowerBound) * rowLength
  }
}

/// Three convolutions that halve time and bands each, then the product that makes rows of what is
/// left. A block of rows at a time, so that the memory does not grow with the clip.
extension SpeechEncoderPass {
  func subsample(
    _ features: UnsafePointer<Float>, _ scratch: SpeechEncoderScratch, _ team: Team, _ member: Int
  ) {
    var first = 0
    while first < scratch.rows {
      if mustStop(team, member) { return }
      let block = first..<min(first + SpeechEncoderScratch.blockRows, scratch.rows)
      subsample(block, features, scratch, team, member)
      first = block.upperBound
    }
    team.barrier()
  }

  private func subsample(
    _ block: Range<Int>, _ features: UnsafePointer<Float>, _ scratch: SpeechEncoderScratch,
    _ team: Team, _ member: Int
  ) {
    let channels = configuration.channelCount
    let halved = SpeechConfiguration.halved
    let times = (halved(scratch.frames), halved(halved(scratch.frames)))
    let bands = (
      halved(configuration.bandCount), halved(halved(configuration.bandCount)),
      configuration.bandsLeft
    )
    // Rows of the earlier stages that the block looks at.
    func sources(_ rows: Range<Int>, _ count: Int) -> Range<Int> {
      max(0, 2 * rows.lowerBound - 1)..<min(count, 2 * rows.upperBound)
    }
    let secondRows = sources(block, times.1)
    let firstRows = sources(secondRows, times.0)
    let one = Stage(
      values: scratch.first.pointer, held: firstRows, bands: bands.0, channels: channels)
    let two = Stage(
      values: scratch.second.pointer, held: secondRows, bands: bands.1, channels: channels)
    let twoMixed = Stage(
      values: scratch.secondMixed.pointer, held: secondRows, bands: bands.1, channels: channels)
    let three = Stage(
      values: scratch.third.pointer, held: block, bands: bands.2, channels: channels)
    let threeMixed = Stage(
      values: scratch.thirdMixed.pointer, held: block, bands: bands.2, channels: channels)

    convolveFeatures(features, scratch.frames, one, member)
    team.barrier()
    reduce(one, times.0, weights.reductions[0], two, twoMixed, team, member)
    reduce(twoMixed, times.1, weights.reductions[1], three, threeMixed, team, member)
    for row in share(block, member) { flatten(threeMixed, row, scratch, block) }
    team.barrier()
    multiply(
      weights.input, scratch.flat.pointer, block.count,
      scratch.residual.pointer + block.lowerBound * d, member)
  }

  private func share(_ rows: Range<Int>, _ member: Int) -> Range<Int> {
    let own = compute.share(of: rows.count, unit: 1, member: member)
    return rows.lowerBound + own.lowerBound..<rows.lowerBound + own.upperBound
  }

  /// The first convolution, from the bands alone to all channels, and relu.
  private func convolveFeatures(
    _ features: UnsafePointer<Float>, _ frames: Int, _ stage: Stage, _ member: Int
  ) {
    let channels = stage.channels
    let bandCount = configuration.bandCount
    for row in share(stage.held, member) {
      for band in 0..<stage.bands {
        let out = stage.row(row) + band * channels
        out.update(from: weights.firstBias, count: channels)
        for tap in 0..<9 {
          let (frame, source) = (2 * row + tap / 3 - 1, 2 * band + tap % 3 - 1)
          guard frame >= 0, frame < frames, source >= 0, source < bandCount else { continue }
          compute.add(
            weights.firstTaps + tap * channels, scaledBy: features[frame * bandCount + source],
            to: out, count: channels)
        }
      }
      relu(stage.row(row), stage.rowLength)
    }
  }

  /// A convolution of each channel by itself, a product that mixes them, and relu.
  private func reduce(
    _ source: Stage, _ sourceCount: Int, _ reduction: SpeechReduction, _ target: Stage,
    _ mixed: Stage, _ team: Team, _ member: Int
  ) {
    let channels = source.channels
    for row in share(target.held, member) {
      for band in 0..<target.bands {
        let out = target.row(row) + band * channels
        out.update(from: reduction.bias, count: channels)
        for tap in 0..<9 {
          let (time, place) = (2 * row + tap / 3 - 1, 2 * band + tap % 3 - 1)
          guard time >= 0, time < sourceCount, place >= 0, place < source.bands else { continue }
          compute.add(
            source.row(time) + place * channels, times: reduction.taps + tap * channels, to: out,
            count: channels)
        }
      }
    }
    team.barrier()
    multiply(
      reduction.mixing, target.values, target.held.count * target.bands, mixed.values, member)
    team.barrier()
    for row in share(mixed.held, member) { relu(mixed.row(row), mixed.rowLength) }
    team.barrier()
  }

  /// (band, channel) to (channel, band), as the product that follows was trained.
  private func flatten(
    _ stage: Stage, _ row: Int, _ scratch: SpeechEncoderScratch, _ block: Range<Int>
  ) {
    let source = stage.row(row)
    let out = scratch.flat.pointer + (row - block.lowerBound) * stage.rowLength
    for channel in 0..<stage.channels {
      for band in 0..<stage.bands {
        out[channel * stage.bands + band] = source[band * stage.channels + channel]
      }
    }
  }

  private func relu(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count where values[index] < 0 { values[index] = 0 }
  }
}
