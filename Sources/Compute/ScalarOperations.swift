import Foundation
import Kernels

/// The vector operations written as plainly as possible: the oracle that the SIMD versions are
/// compared with, and what the `scalar` variant runs. Sums are kept in double precision.
enum ScalarOperations {
  static func multiplyFloat(
    _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
    _ x: UnsafePointer<Float>, _ xStride: Int, _ tokens: Int, _ out: UnsafeMutablePointer<Float>,
    _ outStride: Int
  ) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: k) { buffer in
      guard let row = buffer.baseAddress else { return }
      for r in 0..<rows {
        dequantize(type, weights + r * rowBytes, k, row)
        for t in 0..<tokens {
          var sum = 0.0
          for i in 0..<k { sum += Double(row[i]) * Double(x[t * xStride + i]) }
          out[t * outStride + r] = Float(sum)
        }
      }
    }
  }

  static func rmsNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ count: Int, _ eps: Float,
    _ out: UnsafeMutablePointer<Float>
  ) {
    var squares = 0.0
    for i in 0..<count { squares += Double(x[i]) * Double(x[i]) }
    let scale = Float(1 / (squares / Double(count) + Double(eps)).squareRoot())
    for i in 0..<count { out[i] = x[i] * scale * weight[i] }
  }

  static func siluMultiply(
    _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for i in 0..<count { out[i] = gate[i] / (1 + exp(-gate[i])) * up[i] }
  }

  static func rotate(
    _ x: UnsafeMutablePointer<Float>, _ headDim: Int, _ rotaryDim: Int,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ interleaved: Bool
  ) {
    let half = rotaryDim / 2
    for pair in 0..<half {
      let (i, j) = interleaved ? (2 * pair, 2 * pair + 1) : (pair, pair + half)
      let (a, b) = (x[i], x[j])
      x[i] = a * cosines[pair] - b * sines[pair]
      x[j] = b * cosines[pair] + a * sines[pair]
    }
  }

  static func attend(
    _ queries: UnsafePointer<Float>, _ group: Int, _ headDim: Int, _ keys: UnsafeRawPointer,
    _ values: UnsafeRawPointer, _ kvStride: Int, _ isHalf: Bool, _ positions: Int, _ scale: Float,
    _ out: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>
  ) {
    func element(_ base: UnsafeRawPointer, _ position: Int, _ i: Int) -> Float {
      let index = position * kvStride + i
      guard isHalf else { return base.loadUnaligned(fromByteOffset: index * 4, as: Float.self) }
      var bits = base.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
      var value: Float = 0
      halfToFloat(&bits, &value, 1)
      return value
    }
    for head in 0..<group {
      let query = queries + head * headDim
      var top = -Float.infinity
      for position in 0..<positions {
        var dot = 0.0
        for i in 0..<headDim { dot += Double(query[i]) * Double(element(keys, position, i)) }
        scratch[position] = Float(dot) * scale
        top = max(top, scratch[position])
      }
      var total = 0.0
      for position in 0..<positions {
        scratch[position] = exp(scratch[position] - top)
        total += Double(scratch[position])
      }
      for i in 0..<headDim {
        var sum = 0.0
        for position in 0..<positions {
          sum += Double(scratch[position]) * Double(element(values, position, i))
        }
        out[head * headDim + i] = Float(sum / total)
      }
    }
  }

  static func shortConvolution(
    _ bcx: UnsafePointer<Float>, _ tokens: Int, _ d: Int, _ weight: UnsafePointer<Float>,
    _ length: Int, _ state: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    _ low: Int, _ high: Int
  ) {
    for token in 0..<tokens {
      let row = bcx + token * 3 * d
      for c in low..<high {
        let input = row[c] * row[2 * d + c]
        var sum = weight[c * length + length - 1] * input
        for tap in 0..<length - 1 { sum += weight[c * length + tap] * state[tap * d + c] }
        out[token * d + c] = row[d + c] * sum
        for tap in 0..<length - 2 { state[tap * d + c] = state[(tap + 1) * d + c] }
        state[(length - 2) * d + c] = input
      }
    }
  }
}
