import Audio
import Foundation

/// Overlapping spectra to samples, as they come: periodic Hann window, the overlap divided out, half a
/// window less a hop dropped at both ends.
struct InverseSTFT {
  static let size = 1_280
  static let hop = 320
  static let bins = size / 2 + 1
  /// Samples dropped at both ends.
  static let margin = (size - hop) / 2

  private let transform = RealDFT(size: size)
  private let window: [Double]
  private var sums = [Double](repeating: 0, count: size)
  private var weights = [Double](repeating: 0, count: size)
  private var real = [Double](repeating: 0, count: bins)
  private var imaginary = [Double](repeating: 0, count: bins)
  private var frame = [Double](repeating: 0, count: size)
  /// Samples that still belong to the margin.
  private var dropped = margin
  private var isEmpty = true

  init() {
    window = (0..<Self.size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.size)) }
  }

  /// Adds a row: logarithms of magnitudes, then phases. Appends the samples that are finished.
  mutating func push(_ row: UnsafePointer<Float>, _ samples: inout [Float]) {
    isEmpty = false
    for bin in 0..<Self.bins {
      let magnitude = exp(Double(row[bin]))
      let phase = Double(row[Self.bins + bin])
      real[bin] = magnitude * cos(phase)
      imaginary[bin] = magnitude * sin(phase)
    }
    transform.inverse(real, imaginary, &frame)
    for index in 0..<Self.size {
      sums[index] += frame[index] * window[index]
      weights[index] += window[index] * window[index]
    }
    emit(Self.hop, &samples)
    // The next row lies one hop further on.
    for index in 0..<Self.size {
      let source = index + Self.hop
      sums[index] = source < Self.size ? sums[source] : 0
      weights[index] = source < Self.size ? weights[source] : 0
    }
  }

  /// What is left at the end.
  mutating func finish(_ samples: inout [Float]) {
    if !isEmpty { emit(Self.size - Self.hop - Self.margin, &samples) }
    sums = [Double](repeating: 0, count: Self.size)
    weights = sums
    dropped = Self.margin
    isEmpty = true
  }

  private mutating func emit(_ count: Int, _ samples: inout [Float]) {
    for index in 0..<count {
      if dropped > 0 {
        dropped -= 1
        continue
      }
      let sample = Float(sums[index] / weights[index])
      samples.append(sample.isFinite ? sample : 0)
    }
  }
}
