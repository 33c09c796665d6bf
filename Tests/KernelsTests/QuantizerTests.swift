import Foundation
import Testing

@Suite("Quantisers")
struct QuantizerTests {
  @Test("activations: d is max|x|/127, q rounds half away from zero, sums are exact")
  func activations() {
    var random = RandomNumbers(seed: 1)
    for variant in KernelVariant.available {
      for range in [Float(1), 1e-30, 1e30, 127] {
        let x = random.floats(32 * 200, -range...range)
        let a = QuantizedActivations(x, variant)
        for block in 0..<200 {
          let values = x[(block * 32)..<(block * 32 + 32)]
          let d = (values.map(\.magnitude).max() ?? 0) / 127
          #expect(a.scales[block] == d)
          for (i, value) in zip(values.indices, values) {
            let expected = (value * (1 / d)).rounded(.toNearestOrAwayFromZero)
            #expect(Float(a.q[i]) == min(127, max(-127, expected)))
          }
        }
        for part in 0..<400 {
          let sum = a.q[(part * 16)..<(part * 16 + 16)].reduce(0) { $0 + Int32($1) }
          #expect(a.sums[part] == sum)
        }
      }
    }
  }

  @Test("exact halves round away from zero")
  func halves() {
    for variant in KernelVariant.available {
      var x = (0..<32).map { Float($0) - 15.5 }
      x[31] = 127
      let a = QuantizedActivations(x, variant)
      #expect(a.q[0] == -16 && a.q[15] == -1 && a.q[16] == 1 && a.q[17] == 2 && a.q[30] == 15)
    }
  }

  @Test("zero, tiny, infinite and NaN activations neither trap nor hide")
  func special() {
    for variant in KernelVariant.available {
      for value in [Float(0), -0.0, .leastNonzeroMagnitude, 1e-38] {
        let a = QuantizedActivations([Float](repeating: value, count: 32), variant)
        #expect(a.q == [Int8](repeating: 0, count: 32) && a.sums == [0, 0], "\(value)")
        #expect(a.scales[0].isFinite)
      }
      for value in [Float.infinity, -.infinity, .nan, -.nan, .signalingNaN] {
        var x = [Float](repeating: 0.5, count: 64)
        x[3] = value
        let a = QuantizedActivations(x, variant)
        #expect(!a.scales[0].isFinite, "\(value)")
        #expect(Array(a.q[..<32]) == [Int8](repeating: 0, count: 32))
        #expect(a.scales[1] == 0.5 / 127 && a.q[32] == 127)
      }
    }
  }

  @Test("activations are the same in every variant")
  func variantsAgree() {
    var random = RandomNumbers(seed: 2)
    let x = (0..<4096).map { _ in
      Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    }
    let reference = QuantizedActivations(x)
    for variant in KernelVariant.available {
      #expect(QuantizedActivations(x, variant) == reference, "\(variant.name)")
    }
  }

  @Test("Q8_0 rows follow the format's definition")
  func q8_0() {
    var random = RandomNumbers(seed: 4)
    let x = random.floats(32 * 1000, -3...3)
    for variant in KernelVariant.available {
      let rows = quantized(8, x, 34, variant)
      var error = 0.0
      for block in 0..<1000 {
        let values = x[(block * 32)..<(block * 32 + 32)]
        let d = (values.map(\.magnitude).max() ?? 0) / 127
        #expect(half(rows, block * 34) == Float16Reference.bits(d))
        for (i, value) in values.enumerated() {
          let q = Int8(bitPattern: rows[block * 34 + 2 + i])
          #expect(Float(q) == (value * (1 / d)).rounded(.toNearestOrAwayFromZero))
          error = max(error, abs(Double(q) * Double(d) - Double(value)) / Double(d))
        }
      }
      print("Q8_0 \(variant.name): worst error \(error) steps")
      #expect(error < 0.51)
    }
  }

  @Test("Q4_0 rows follow the format's definition")
  func q4_0() {
    var random = RandomNumbers(seed: 6)
    var x = random.floats(32 * 1000, -3...3)
    for i in 0..<32 { x[i] = 0 }
    for variant in KernelVariant.available {
      let rows = quantized(2, x, 18, variant)
      for block in 0..<1000 {
        let values = Array(x[(block * 32)..<(block * 32 + 32)])
        let extreme = values.max { $0.magnitude < $1.magnitude } ?? 0
        let d = extreme / -8
        let factor = d == 0 ? 0 : 1 / d
        #expect(half(rows, block * 18) == Float16Reference.bits(d))
        for i in 0..<32 {
          let byte = rows[block * 18 + 2 + i % 16]
          let q = i < 16 ? byte & 15 : byte >> 4
          #expect(q == UInt8(min(15, (values[i] * factor + 8.5).rounded(.towardZero))))
        }
      }
    }
  }

  @Test("F16 and BF16 rows round to nearest, ties to even")
  func narrowFloats() {
    var random = RandomNumbers(seed: 8)
    let x: [Float] =
      [
        0, -0.0, 65504, 65519.99, 65520, -65520, 1e-8, 2.98e-8, 2.980_232_3e-8, 5.96e-8, 6.1e-5,
        6.097_555e-5, 1.000_488_3, 1.001_464_8, .infinity, -.infinity, .nan, 1e38,
        -.leastNonzeroMagnitude,
      ] + random.floats(4000, -70000...70000) + random.floats(4000, -1e-4...1e-4)
    for variant in KernelVariant.available {
      let halves = quantized(1, x, 2, variant)
      var direct = [UInt16](repeating: 0, count: x.count)
      variant.floatToHalf(x, &direct, x.count)
      var back = [Float](repeating: 0, count: x.count)
      variant.halfToFloat(direct, &back, x.count)
      let brains = quantized(30, x, 2, variant)
      for (i, value) in x.enumerated() {
        #expect(half(halves, i * 2) == direct[i])
        if value.isNaN {
          #expect(back[i].isNaN && Float(bitPattern: UInt32(half(brains, i * 2)) << 16).isNaN)
          continue
        }
        #expect(direct[i] == Float16Reference.bits(value), "\(value)")
        let b = Float(bitPattern: UInt32(half(brains, i * 2)) << 16)
        if b.isFinite {
          let step = max(abs(Double(value)) * 0x1p-8, 1e-40)
          #expect(abs(Double(b) - Double(value)) <= step)
        }
      }
    }
  }

  @Test("every half-precision pattern survives widening and narrowing")
  func everyHalf() {
    let patterns = (0...UInt16.max).map { $0 }
    for variant in KernelVariant.available {
      var floats = [Float](repeating: 0, count: patterns.count)
      variant.halfToFloat(patterns, &floats, patterns.count)
      var back = [UInt16](repeating: 0, count: patterns.count)
      variant.floatToHalf(floats, &back, patterns.count)
      for (pattern, (value, result)) in zip(patterns, zip(floats, back)) {
        if pattern & 0x7fff > 0x7c00 {
          #expect(value.isNaN && result & 0x7fff > 0x7c00)
        } else {
          #expect(result == pattern && Double(value) == Float16Reference.value(pattern))
        }
      }
    }
  }

  private func quantized(
    _ id: UInt32, _ x: [Float], _ blockBytes: Int, _ variant: KernelVariant
  ) -> [UInt8] {
    var out = [UInt8](
      repeating: 0, count: blockBytes * (id == 1 || id == 30 ? x.count : x.count / 32))
    out.withUnsafeMutableBytes {
      if let base = $0.baseAddress { variant.quantizeRow(id, x, x.count, base) }
    }
    return out
  }

  private func half(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
    UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }
}

/// Half precision by definition, in double arithmetic.
enum Float16Reference {
  static func value(_ bits: UInt16) -> Double {
    let exponent = Int(bits >> 10) & 31
    let fraction = Double(bits & 1023)
    let magnitude: Double
    switch exponent {
    case 0: magnitude = scalbn(fraction, -24)
    case 31: magnitude = fraction == 0 ? .infinity : .nan
    default: magnitude = scalbn(1024 + fraction, exponent - 25)
    }
    return bits >> 15 == 1 ? -magnitude : magnitude
  }

  static func bits(_ value: Float) -> UInt16 {
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    let magnitude = Double(value.magnitude)
    if magnitude >= 65520 { return sign | 0x7c00 }
    let exponent = max(-14, magnitude == 0 ? -14 : Int(magnitude.exponent))
    let steps = scalbn(magnitude, 10 - exponent).rounded(.toNearestOrEven)
    return sign | UInt16(Int(steps) + (exponent + 14) * 1024)
  }
}
