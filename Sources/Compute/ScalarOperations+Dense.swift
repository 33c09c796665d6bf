import Foundation

extension ScalarOperations {
  static func layerNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
    _ count: Int, _ eps: Float, _ out: UnsafeMutablePointer<Float>
  ) {
    var sum = 0.0
    for i in 0..<count { sum += Double(x[i]) }
    let mean = sum / Double(count)
    var squares = 0.0
    for i in 0..<count { squares += (Double(x[i]) - mean) * (Double(x[i]) - mean) }
    let factor = 1 / (squares / Double(count) + Double(eps)).squareRoot()
    for i in 0..<count {
      out[i] = Float((Double(x[i]) - mean) * factor * Double(weight[i]) + Double(bias[i]))
    }
  }

  static func geluTanh(_ x: UnsafeMutablePointer<Float>, _ count: Int) {
    let factor = (2 / Double.pi).squareRoot()
    for i in 0..<count {
      let value = Double(x[i])
      x[i] = Float(0.5 * value * (1 + tanh(factor * (value + 0.044715 * value * value * value))))
    }
  }

  static func geluErf(_ x: UnsafeMutablePointer<Float>, _ count: Int) {
    for i in 0..<count {
      let value = Double(x[i])
      x[i] = Float(0.5 * value * erfc(-value * 0.5.squareRoot()))
    }
  }

  static func multiplyDense(
    _ type: UInt32, _ weights: UnsafeRawPointer, _ rowBytes: Int, _ rows: Int, _ k: Int,
    _ x: UnsafePointer<Float>, _ xStride: Int, _ tokens: Int, _ bias: UnsafePointer<Float>?,
    _ out: UnsafeMutablePointer<Float>, _ outStride: Int, _ scratch: UnsafeMutableRawPointer
  ) {
    multiplyFloat(type, weights, rowBytes, rows, k, x, xStride, tokens, out, outStride)
    guard let bias else { return }
    for t in 0..<tokens {
      for r in 0..<rows { out[t * outStride + r] += bias[r] }
    }
  }

  static func attendDense(
    _ queries: UnsafePointer<Float>, _ queryCount: Int, _ keys: UnsafePointer<Float>,
    _ values: UnsafePointer<Float>, _ stride: Int, _ positions: Int, _ headDim: Int,
    _ scale: Float, _ out: UnsafeMutablePointer<Float>, _ outStride: Int,
    _ scratch: UnsafeMutablePointer<Float>, _ shouldStop: () -> Bool
  ) {
    for query in 0..<queryCount where !shouldStop() {
      attend(
        queries + query * stride, 1, headDim, keys, values, stride, false, positions, scale,
        out + query * outStride, scratch)
    }
  }

  static func attendRelative(
    _ content: UnsafePointer<Float>, _ contentStride: Int, _ distance: UnsafePointer<Float>,
    _ distanceStride: Int, _ first: Int, _ queryCount: Int, _ keys: UnsafePointer<Float>,
    _ values: UnsafePointer<Float>, _ stride: Int, _ relative: UnsafePointer<Float>,
    _ relativeStride: Int, _ positions: Int, _ headDim: Int, _ scale: Float,
    _ out: UnsafeMutablePointer<Float>, _ outStride: Int, _ scratch: UnsafeMutablePointer<Float>,
    _ shouldStop: () -> Bool
  ) {
    for query in 0..<queryCount where !shouldStop() {
      var scores: [Double] = []
      for position in 0..<positions {
        let row = relative + (positions - 1 - (first + query - position)) * relativeStride
        var sum = 0.0
        for i in 0..<headDim {
          sum += Double(content[query * contentStride + i]) * Double(keys[position * stride + i])
          sum += Double(distance[query * distanceStride + i]) * Double(row[i])
        }
        scores.append(sum * Double(scale))
      }
      let largest = scores.max() ?? 0
      let weights = scores.map { exp($0 - largest) }
      let total = weights.reduce(0, +)
      for i in 0..<headDim {
        var sum = 0.0
        for position in 0..<positions {
          sum += weights[position] * Double(values[position * stride + i])
        }
        out[query * outStride + i] = Float(sum / total)
      }
    }
  }

  static func sigmoidMultiply(
    _ gate: UnsafePointer<Float>, _ x: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for i in 0..<count { out[i] = Float(Double(x[i]) / (1 + exp(-Double(gate[i])))) }
  }
}
