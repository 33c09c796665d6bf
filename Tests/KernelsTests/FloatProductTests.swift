import Foundation
import Testing
import TestSupport

@Suite("Float products")
struct FloatProductTests {
  @Test("any shape is near the float64 product, alike in all variants, independent of the batch")
  func shapes() {
    var random = RandomNumbers(seed: 1)
    for (id, name, bytes) in [(UInt32(0), "F32", 4), (1, "F16", 2), (30, "BF16", 2)] {
      var worst = 0.0
      for k in [1, 3, 15, 16, 17, 40, 64, 100, 512] {
        for rows in [1, 2, 3, 4, 5, 8, 11] {
          let tokens = 3
          let stride = k + 5
          let w = random.floats(rows * k)
          let x = random.floats(tokens * stride)
          let packed = self.packed(id, w)
          var exactWeights = [Float](repeating: 0, count: w.count)
          packed.withUnsafeBytes {
            if let base = $0.baseAddress {
              KernelVariant.portable.dequantize(id, base, w.count, &exactWeights)
            }
          }
          let reference = multiply(id, packed, bytes * k, rows, k, x, stride, tokens, .portable)
          for t in 0..<tokens {
            for r in 0..<rows {
              var exact = 0.0
              var size = 1e-30
              for i in 0..<k {
                let term = Double(exactWeights[r * k + i]) * Double(x[t * stride + i])
                exact += term
                size += abs(term)
              }
              worst = max(worst, abs(Double(reference[t * rows + r]) - exact) / size)
            }
            let one = Array(x[(t * stride)..<(t * stride + k)])
            let single = multiply(id, packed, bytes * k, rows, k, one, k, 1, .portable)
            #expect(single == Array(reference[(t * rows)..<((t + 1) * rows)]))
          }
          for variant in KernelVariant.available {
            #expect(
              multiply(id, packed, bytes * k, rows, k, x, stride, tokens, variant) == reference,
              "\(name) \(variant.name) k \(k) rows \(rows)")
          }
        }
      }
      print("\(name): worst error \(worst) of the sum of magnitudes")
      #expect(worst < 1e-6)
    }
  }

  private func packed(_ id: UInt32, _ w: [Float]) -> [UInt8] {
    if id == 0 { return w.withUnsafeBytes { Array($0) } }
    var out = [UInt8](repeating: 0, count: w.count * 2)
    out.withUnsafeMutableBytes {
      if let base = $0.baseAddress { KernelVariant.portable.quantizeRow(id, w, w.count, base) }
    }
    return out
  }

  private func multiply(
    _ id: UInt32, _ w: [UInt8], _ rowBytes: Int, _ rows: Int, _ k: Int, _ x: [Float],
    _ xStride: Int, _ tokens: Int, _ variant: KernelVariant
  ) -> [Float] {
    var out = [Float](repeating: 0, count: rows * tokens)
    w.withUnsafeBytes {
      guard let base = $0.baseAddress else { return }
      variant.multiplyFloat(id, base, rowBytes, rows, k, x, xStride, tokens, &out, rows)
    }
    return out
  }
}
