import Foundation
import Testing
import TestSupport

@Suite("Dequantisation")
struct DequantizeTests {
  @Test(
    "golden blocks decode to their values: bit for bit, affine types within one rounding",
    arguments: KernelVariant.available)
  func goldenBlocks(_ variant: KernelVariant) throws {
    for type in QuantizedType.all {
      let blocks = try Data(contentsOf: Fixtures.best("kernels/\(type.name).bin"))
      let expected = try Fixtures.floats(Fixtures.best("kernels/\(type.name).f32"))
      let count = blocks.count / type.blockBytes * type.blockSize
      try #require(count == expected.count && count > 0)
      let values = dequantized(type.id, [UInt8](blocks), count, variant)
      var worst: Float = 0
      for first in stride(from: 0, to: count, by: type.blockSize) {
        let range = first..<(first + type.blockSize)
        if bits(Array(values[range])) == bits(Array(expected[range])) { continue }
        let largest = expected[range].map(\.magnitude).max() ?? 0
        let difference = range.map { (values[$0] - expected[$0]).magnitude }.max() ?? 0
        worst = max(worst, difference / largest)
        #expect(
          type.isAffine && difference <= 1.2e-7 * largest, "\(type) block \(first / type.blockSize)"
        )
      }
      print("dequantize \(variant.name) \(type): worst \(worst) of the block's largest value")
    }
  }

  @Test("half and BF16 goldens decode bit for bit", arguments: KernelVariant.available)
  func goldenFloats(_ variant: KernelVariant) throws {
    for (id, name) in [(UInt32(1), "F16"), (30, "BF16")] {
      let data = try Data(contentsOf: Fixtures.best("kernels/\(name).bin"))
      let expected = try Fixtures.floats(Fixtures.best("kernels/\(name).f32"))
      let values = dequantized(id, [UInt8](data), expected.count, variant)
      #expect(sameBits(values, expected), "\(name)")
    }
  }

  @Test("every variant decodes every byte in every place alike")
  func everyByte() {
    for type in QuantizedType.all {
      var blocks: [UInt8] = []
      for place in 0..<type.blockBytes
      where !type.scaleOffsets.contains(where: {
        $0 == place || $0 + 1 == place
      }) {
        for value in 0...255 {
          var block = [UInt8](repeating: 0, count: type.blockBytes)
          block[place] = UInt8(value)
          for offset in type.scaleOffsets { type.setScale(0x3c00, 0, offset, &block) }
          blocks += block
        }
      }
      let count = blocks.count / type.blockBytes * type.blockSize
      let reference = dequantized(type.id, blocks, count, .portable)
      for variant in KernelVariant.available {
        #expect(sameBits(dequantized(type.id, blocks, count, variant), reference), "\(type)")
      }
    }
  }

  private func dequantized(
    _ id: UInt32, _ bytes: [UInt8], _ count: Int, _ variant: KernelVariant
  ) -> [Float] {
    var out = [Float](repeating: 9, count: count)
    bytes.withUnsafeBytes {
      if let base = $0.baseAddress { variant.dequantize(id, base, count, &out) }
    }
    return out
  }
}
