import Foundation

/// What an encoder reads of a clip: for every 10 ms the logarithms of the energy in each band,
/// normalised over the clip.
public struct MelFeatures: Sendable, Equatable {
  public let frameCount: Int
  public let bandCount: Int
  /// (frames, bands).
  public let values: [Float]

  public init(frameCount: Int, bandCount: Int, values: [Float]) {
    self.frameCount = frameCount
    self.bandCount = bandCount
    self.values = values
  }
}

/// Computes features as the models' training code does. Holds the features and a few frames, beside
/// the samples.
public enum LogMel {
  static let size = 512
  static let window = 400
  static let hop = 160
  static let bands = 128
  private static let preEmphasis: Float = 0.97
  private static let guardValue = 5.9604644775390625e-8  // 2^-24

  /// How many frames a clip has; the last one is always zero.
  public static func frameCount(samples: Int) -> Int { samples / hop + 1 }

  /// - Parameter isCancelled: asked every second of sound; the features are then nil.
  public static func features(
    of clip: AudioClip, isCancelled: () -> Bool = { false }
  ) -> MelFeatures? {
    let samples = clip.samples
    let frames = frameCount(samples: samples.count)
    let valid = samples.count / hop
    var values = [Float](repeating: 0, count: frames * bands)
    let transform = RealDFT(size: size)
    let filters = MelFilters(count: bands, size: size, sampleRate: AudioClip.sampleRate)
    let window = symmetricHann
    var frame = [Double](repeating: 0, count: size)
    var power = [Double](repeating: 0, count: size / 2 + 1)
    var (sums, squares) = (
      [Double](repeating: 0, count: bands), [Double](repeating: 0, count: bands)
    )
    // Differences from the first frame: small numbers, and a constant band varies by exactly 0.
    var first = [Double](repeating: 0, count: bands)
    let margin = (size - Self.window) / 2
    for index in 0..<valid {
      if index.isMultiple(of: 100), isCancelled() { return nil }
      let start = index * hop - size / 2 + margin
      for offset in 0..<Self.window {
        frame[margin + offset] = emphasised(samples, start + offset) * window[offset]
      }
      transform.power(frame, &power)
      for band in 0..<bands {
        let (start, weights) = filters.filters[band]
        var energy = 0.0
        for (offset, weight) in weights.enumerated() {
          energy += Double(weight) * power[start + offset]
        }
        let level = log(energy + guardValue)
        if index == 0 { first[band] = level }
        sums[band] += level - first[band]
        squares[band] += (level - first[band]) * (level - first[band])
        values[index * bands + band] = Float(level - first[band])
      }
    }
    normalise(&values, valid: valid, sums, squares)
    return MelFeatures(frameCount: frames, bandCount: bands, values: values)
  }

  private static func normalise(
    _ values: inout [Float], valid: Int, _ sums: [Double], _ squares: [Double]
  ) {
    guard valid > 0 else { return }
    let count = Double(valid)
    for band in 0..<bands {
      let mean = sums[band] / count
      let variance = valid > 1 ? max(0, squares[band] - sums[band] * mean) / (count - 1) : 0
      let deviation = variance.squareRoot() + 1e-5
      for index in 0..<valid {
        let place = index * bands + band
        // A band that never changes is silence, not rounding noise.
        values[place] = variance == 0 ? 0 : Float((Double(values[place]) - mean) / deviation)
      }
    }
  }

  private static func emphasised(_ samples: [Float], _ index: Int) -> Double {
    guard index >= 0, index < samples.count else { return 0 }
    return Double(index == 0 ? samples[0] : samples[index] - preEmphasis * samples[index - 1])
  }

  private static var symmetricHann: [Double] {
    (0..<window).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(window - 1)) }
  }
}
