import Foundation
import Testing

@Suite("Float operations")
struct FloatOperationTests {
  private static let counts = [1, 2, 7, 15, 16, 17, 31, 32, 33, 64, 100, 1000, 2048]

  @Test("RMS norm is near the float64 value and alike in all variants")
  func rmsNorm() {
    var random = RandomNumbers(seed: 1)
    var worst = 0.0
    for count in Self.counts {
      let (x, w) = (random.floats(count, -4...4), random.floats(count))
      let mean = x.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(count)
      let factor = 1 / (mean + 1e-5).squareRoot()
      let reference = result(count) { KernelVariant.portable.rmsNorm(x, w, count, 1e-5, $0) }
      for i in 0..<count {
        let exact = Double(x[i]) * factor * Double(w[i])
        worst = max(worst, abs(Double(reference[i]) - exact) / max(abs(exact), 1e-3))
      }
      for variant in KernelVariant.available {
        #expect(result(count) { variant.rmsNorm(x, w, count, 1e-5, $0) } == reference)
        var inPlace = x
        inPlace.withUnsafeMutableBufferPointer {
          if let base = $0.baseAddress { variant.rmsNorm(base, w, count, 1e-5, base) }
        }
        #expect(inPlace == reference)
      }
    }
    print("rmsNorm: worst relative error \(worst)")
    #expect(worst < 1e-6)
  }

  @Test("additions are those of float arithmetic")
  func additions() {
    var random = RandomNumbers(seed: 2)
    for count in Self.counts {
      let (x, y) = (random.floats(count), random.floats(count))
      for variant in KernelVariant.available {
        var sum = y
        variant.addInPlace(&sum, x, count)
        #expect(sum == zip(x, y).map { $1 + $0 })
        var scaled = y
        variant.scaleAdd(&scaled, x, 0.37, count)
        #expect(scaled == zip(x, y).map { $1 + $0 * 0.37 })
      }
    }
  }

  @Test("silu is near the float64 value, alike in all variants and sound at the extremes")
  func silu() {
    var random = RandomNumbers(seed: 3)
    var worst = 0.0
    for count in Self.counts {
      let (gate, up) = (random.floats(count, -30...30), random.floats(count))
      let reference = result(count) {
        KernelVariant.portable.siluMultiply(gate, up, $0, count)
      }
      for i in 0..<count {
        let exact = Double(gate[i]) / (1 + exp(-Double(gate[i]))) * Double(up[i])
        worst = max(worst, abs(Double(reference[i]) - exact) / max(abs(exact), 1e-30))
      }
      for variant in KernelVariant.available {
        #expect(result(count) { variant.siluMultiply(gate, up, $0, count) } == reference)
      }
    }
    print("silu: worst relative error \(worst)")
    #expect(worst < 5e-7)
    let extremes: [Float] = [0, -0.0, 88, -88, 200, -200, 1e30, -1e30, .infinity, .nan]
    for variant in KernelVariant.available {
      let ones = [Float](repeating: 1, count: extremes.count)
      let y = result(extremes.count) { variant.siluMultiply(extremes, ones, $0, extremes.count) }
      #expect(y[0] == 0 && y[1] == 0 && y[2] == 88 && abs(y[3]) < 1e-35 && y[4] == 200)
      #expect(abs(y[5]) < 1e-35 && y[6] == 1e30 && abs(y[7]) < 1e-7 && y[8] == .infinity)
      #expect(y[9].isNaN)
    }
  }

  @Test("softmax sums to one, is near the float64 value and alike in all variants")
  func softmax() {
    var random = RandomNumbers(seed: 4)
    var worst = 0.0
    for count in Self.counts {
      let x = random.floats(count, -20...20)
      let top = x.max() ?? 0
      let powers = x.map { exp(Double($0 - top)) }
      let total = powers.reduce(0, +)
      var reference = x
      KernelVariant.portable.softmax(&reference, count)
      for i in 0..<count {
        worst = max(worst, abs(Double(reference[i]) * total / powers[i] - 1))
      }
      for variant in KernelVariant.available {
        var y = x
        variant.softmax(&y, count)
        #expect(y == reference)
      }
    }
    print("softmax: worst relative error \(worst)")
    #expect(worst < 5e-7)
    for variant in KernelVariant.available {
      var large = [Float](repeating: -3e38, count: 40)
      large[17] = 3e38
      variant.softmax(&large, 40)
      #expect(large[17] == 1 && large[0] == 0)
      var broken = [Float](repeating: 1, count: 40)
      broken[39] = .nan
      variant.softmax(&broken, 40)
      #expect(bits(broken) == [UInt32](repeating: 0x7fc0_0000, count: 40))
    }
  }

  @Test("the exponential is within 3 units in the last place over its whole range")
  func exponential() {
    // Two values per softmax, the maximum 0 and the argument: the ratio of the results is e^x.
    var worst = 0.0
    for step in 0..<87_000 {
      let x = -Float(step) / 1000
      var pair: [Float] = [0, x]
      KernelVariant.portable.softmax(&pair, 2)
      let ratio = Double(pair[1]) / Double(pair[0])
      worst = max(worst, abs(ratio / exp(Double(x)) - 1) / Double(Float.ulpOfOne))
    }
    print("exponential through softmax: worst error \(worst) units in the last place")
    #expect(worst < 3)
  }

  @Test("rotation turns pairs by the angle, in both layouts, and leaves the rest")
  func rotate() {
    var random = RandomNumbers(seed: 5)
    var worst = 0.0
    for (headDim, rotaryDim) in [(64, 64), (80, 80), (128, 64), (20, 20), (2, 2), (48, 32)] {
      for interleaved in [false, true] {
        let half = rotaryDim / 2
        let x = random.floats(headDim)
        let angles = random.floats(half, -3...3)
        let (cosines, sines) = (angles.map { cos($0) }, angles.map { sin($0) })
        var expected = x.map(Double.init)
        for m in 0..<half {
          let (i, j) = interleaved ? (2 * m, 2 * m + 1) : (m, m + half)
          let (a, b) = (Double(x[i]), Double(x[j]))
          let (c, s) = (Double(cosines[m]), Double(sines[m]))
          expected[i] = a * c - b * s
          expected[j] = b * c + a * s
        }
        var reference = x
        KernelVariant.portable.rotate(&reference, headDim, rotaryDim, cosines, sines, interleaved)
        worst = max(worst, worstError(reference, expected))
        for variant in KernelVariant.available {
          var y = x
          variant.rotate(&y, headDim, rotaryDim, cosines, sines, interleaved)
          #expect(y == reference)
        }
      }
    }
    print("rotate: worst error \(worst)")
    #expect(worst < 2e-7)
  }

  private func result(
    _ count: Int, _ body: (UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    var out = [Float](repeating: 0, count: count)
    out.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { body(base) } }
    return out
  }
}
