import Foundation
import Testing

@Suite("Attention")
struct AttentionTests {
  private struct Shape {
    var group: Int
    var headDim: Int
    var positions: Int
  }

  @Test(
    "is near the float64 value, and alike where multiply-add is fused", arguments: [true, false])
  func shapes(isHalf: Bool) {
    var random = RandomNumbers(seed: 1)
    var worst = 0.0
    for headDim in [2, 20, 48, 64, 80, 128] {
      for group in [1, 2, 3, 4, 5, 8] {
        for positions in [1, 2, 15, 16, 17, 33, 100] {
          let shape = Shape(group: group, headDim: headDim, positions: positions)
          let stride = headDim + 6
          let queries = random.floats(group * headDim, -2...2)
          let keys = cache(random.floats(positions * stride), isHalf)
          let values = cache(random.floats(positions * stride), isHalf)
          let scale = 1 / Float(headDim).squareRoot()
          let exact = exactAttention(
            shape, queries, floats(keys, isHalf), floats(values, isHalf), stride, Double(scale))
          var fused: [Float]?
          for variant in KernelVariant.available {
            let result = attend(shape, queries, keys, values, stride, isHalf, scale, variant)
            worst = max(worst, worstError(result, exact))
            if variant.isFused {
              #expect(result == fused ?? result, "\(variant.name) \(shape)")
              fused = result
            }
            // Each head alone gives what it gives in the group.
            for h in 0..<group {
              let one = Shape(group: 1, headDim: headDim, positions: positions)
              let query = Array(queries[(h * headDim)..<((h + 1) * headDim)])
              let alone = attend(one, query, keys, values, stride, isHalf, scale, variant)
              #expect(alone == Array(result[(h * headDim)..<((h + 1) * headDim)]))
            }
          }
        }
      }
    }
    print("attention, \(isHalf ? "half" : "float") cache: worst error \(worst)")
    #expect(worst < 2e-6)
  }

  @Test("scores far apart pick the one value")
  func peaked() {
    for variant in KernelVariant.available {
      let shape = Shape(group: 1, headDim: 16, positions: 40)
      var keys = [Float](repeating: 0, count: 40 * 16)
      for i in 0..<16 { keys[23 * 16 + i] = 100 }
      let values = (0..<(40 * 16)).map { Float($0 / 16) }
      let query = [Float](repeating: 100, count: 16)
      let result = attend(
        shape, query, cache(keys, false), cache(values, false), 16, false, 1, variant)
      #expect(result == [Float](repeating: 23, count: 16))
    }
  }

  private func cache(_ x: [Float], _ isHalf: Bool) -> [UInt8] {
    if !isHalf { return x.withUnsafeBytes { Array($0) } }
    var halves = [UInt16](repeating: 0, count: x.count)
    KernelVariant.portable.floatToHalf(x, &halves, x.count)
    return halves.withUnsafeBytes { Array($0) }
  }

  private func floats(_ bytes: [UInt8], _ isHalf: Bool) -> [Float] {
    let count = bytes.count / (isHalf ? 2 : 4)
    var out = [Float](repeating: 0, count: count)
    bytes.withUnsafeBytes {
      guard let base = $0.baseAddress else { return }
      KernelVariant.portable.dequantize(isHalf ? 1 : 0, base, count, &out)
    }
    return out
  }

  private func attend(
    _ shape: Shape, _ queries: [Float], _ keys: [UInt8], _ values: [UInt8], _ stride: Int,
    _ isHalf: Bool, _ scale: Float, _ variant: KernelVariant
  ) -> [Float] {
    var out = [Float](repeating: 7, count: queries.count)
    var scratch = [Float](repeating: .nan, count: shape.group * shape.positions)
    keys.withUnsafeBytes { keyBytes in
      values.withUnsafeBytes { valueBytes in
        guard let k = keyBytes.baseAddress, let v = valueBytes.baseAddress else { return }
        variant.attend(
          queries, shape.group, shape.headDim, k, v, stride, isHalf, shape.positions, scale, &out,
          &scratch)
      }
    }
    return out
  }

  private func exactAttention(
    _ shape: Shape, _ queries: [Float], _ keys: [Float], _ values: [Float], _ stride: Int,
    _ scale: Double
  ) -> [Double] {
    var out: [Double] = []
    let dims = 0..<shape.headDim
    for h in 0..<shape.group {
      let scores = (0..<shape.positions).map { p in
        scale
          * dims.reduce(0.0) {
            $0 + Double(queries[h * shape.headDim + $1]) * Double(keys[p * stride + $1])
          }
      }
      let top = scores.max() ?? 0
      let powers = scores.map { exp($0 - top) }
      let total = powers.reduce(0, +)
      for i in dims {
        out.append(
          (0..<shape.positions).reduce(0.0) {
            $0 + powers[$1] / total * Double(values[$1 * stride + i])
          })
      }
    }
    return out
  }
}
