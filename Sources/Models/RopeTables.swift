import Compute
import Foundation

/// Rotation angles: one frequency per pair, and the cosines and sines of a batch's positions.
final class RopeTables: @unchecked Sendable {
  // Unchecked: each member of a team fills the rows it owns.
  let half: Int
  private let frequencies: AlignedBuffer<Double>  // (half)
  private let cosines: AlignedBuffer<Float>  // (rows, half)
  private let sines: AlignedBuffer<Float>  // (rows, half)

  init(_ model: Model, rows: Int) throws(ComputeError) {
    let configuration = model.configuration
    half = configuration.ropeDimension / 2
    frequencies = try AlignedBuffer(count: half)
    cosines = try AlignedBuffer(count: rows * half)
    sines = try AlignedBuffer(count: rows * half)
    for pair in 0..<half {
      let exponent = -2 * Double(pair) / Double(configuration.ropeDimension)
      let divisor = Double(model.ropeDivisors?.pointer[pair] ?? 1) * configuration.ropeScale
      frequencies.pointer[pair] = pow(configuration.ropeBase, exponent) / divisor
    }
  }

  /// Computes row `row` for a position.
  func fill(row: Int, position: Int32) {
    for pair in 0..<half {
      let angle = Double(position) * frequencies.pointer[pair]
      cosines.pointer[row * half + pair] = Float(cos(angle))
      sines.pointer[row * half + pair] = Float(sin(angle))
    }
  }

  func cosines(row: Int) -> UnsafePointer<Float> { UnsafePointer(cosines.pointer + row * half) }
  func sines(row: Int) -> UnsafePointer<Float> { UnsafePointer(sines.pointer + row * half) }
}
