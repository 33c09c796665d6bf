import Foundation
import Kernels
import Testing
import TestSupport

@Suite("Quantised products")
struct QuantizedProductTests {
  private struct Index: Decodable {
    struct Product: Decodable {
      struct Peer: Decodable {
        let tolerance_abs: Double
      }
      let rows: Int
      let cols: Int
      let peer: [Peer]
    }
    let matvec: [String: Product]
  }

  @Test(
    "equal the scalar oracle bit for bit, whatever the shape", arguments: QuantizedType.all)
  func shapes(_ type: QuantizedType) {
    var random = RandomNumbers(seed: UInt64(type.id))
    let rowCounts = Array(1...18) + [31, 32, 33, 40]
    let tokenCounts = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 33]
    var compared = 0
    // Long enough for more than one piece of a panel in the first-level cache.
    for blocks in type.blockSize == 32 ? [1, 2, 3, 4, 5, 7, 8, 9, 20] : [1, 2, 3] {
      let k = blocks * type.blockSize
      // Every token and row count is met for every number of blocks, not every triple.
      for (i, rows) in rowCounts.enumerated() {
        let weights = type.randomBlocks(rows * blocks, &random)
        for step in 0..<3 {
          let tokens = tokenCounts[(i + step * 5 + blocks) % tokenCounts.count]
          let a = QuantizedActivations(random.floats(tokens * k))
          let expected = [false, true].map {
            product(type, weights, rows: rows, k: k, a, tokens: tokens, .oracle(fused: $0))
          }
          for variant in KernelVariant.available {
            let result = product(
              type, weights, rows: rows, k: k, a, tokens: tokens, .variant(variant))
            #expect(
              sameBits(result, expected[variant.isFused ? 1 : 0]),
              "\(type) \(variant.name) rows \(rows) k \(k) tokens \(tokens)")
            compared += result.count
          }
        }
      }
    }
    print("\(type): \(compared) products bit-equal to the scalar oracle")
  }

  @Test("a token's result does not depend on the tokens beside it", arguments: QuantizedType.all)
  func batches(_ type: QuantizedType) {
    var random = RandomNumbers(seed: 77)
    let (rows, k) = (37, 3 * max(type.blockSize, 96) / type.blockSize * type.blockSize)
    let weights = type.randomBlocks(rows * k / type.blockSize, &random)
    for variant in KernelVariant.available {
      let x = random.floats(33 * k)
      let single = (0..<33).flatMap {
        let a = QuantizedActivations(Array(x[($0 * k)..<(($0 + 1) * k)]), variant)
        return product(type, weights, rows: rows, k: k, a, tokens: 1, .variant(variant))
      }
      for tokens in 1...33 {
        let a = QuantizedActivations(Array(x[..<(tokens * k)]), variant)
        let together = product(
          type, weights, rows: rows, k: k, a, tokens: tokens, .variant(variant))
        #expect(sameBits(together, Array(single[..<(tokens * rows)])), "\(variant.name)")
      }
    }
  }

  @Test("scratch for long rows is enough for shorter ones, which take more tokens at once")
  func scratch() {
    for variant in KernelVariant.available {
      var needed = 0
      for k in stride(from: 32, through: 1 << 18, by: 32) {
        #expect(variant.scratchBytes(k) >= needed)
        needed = variant.scratchBytes(k)
      }
    }
    // As much as runs can take at once; the helper looks for writes behind the scratch.
    var random = RandomNumbers(seed: 79)
    for k in [32, 512, 2048, 2080, 4096] {
      let a = QuantizedActivations(random.floats(520 * k))
      let weights = QuantizedType.all[0].randomBlocks(33 * k / 32, &random)
      for variant in KernelVariant.available {
        let result = product(
          QuantizedType.all[0], weights, rows: 33, k: k, a, tokens: 520, .variant(variant))
        #expect(result.count == 520 * 33, "\(variant.name) k \(k)")
      }
    }
  }

  @Test("runs of more tokens than go through together give the same", arguments: QuantizedType.all)
  func longRuns(_ type: QuantizedType) {
    var random = RandomNumbers(seed: 78)
    let (rows, k, tokens) = (17, 256, 1030)
    let weights = type.randomBlocks(rows * k / type.blockSize, &random)
    let x = random.floats(tokens * k)
    for variant in KernelVariant.available {
      let together = product(
        type, weights, rows: rows, k: k, QuantizedActivations(x, variant), tokens: tokens,
        .variant(variant))
      for token in [0, 511, 512, 1023, 1024, 1029] {
        let a = QuantizedActivations(Array(x[(token * k)..<((token + 1) * k)]), variant)
        let single = product(type, weights, rows: rows, k: k, a, tokens: 1, .variant(variant))
        #expect(
          sameBits(Array(together[(token * rows)..<((token + 1) * rows)]), single),
          "\(variant.name) token \(token)")
      }
    }
  }

  @Test(
    "extreme scales, payloads and activations give the oracle's bits", arguments: QuantizedType.all)
  func extremes(_ type: QuantizedType) {
    var random = RandomNumbers(seed: 5)
    let scales: [UInt16] = [
      0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3c00,
    ]
    let payloads: [UInt8?] = [0x00, 0xff, 0x0f, 0xf0, 0x80, 0x7f, nil]
    let (rows, k) = (scales.count * payloads.count, 2 * max(type.blockSize, 32))
    var weights: [UInt8] = []
    for scale in scales {
      for payload in payloads {
        var row = type.randomBlocks(k / type.blockSize, &random)
        if let payload { row = [UInt8](repeating: payload, count: row.count) }
        for block in 0..<(k / type.blockSize) {
          for offset in type.scaleOffsets { type.setScale(scale, block, offset, &row) }
        }
        weights += row
      }
    }
    var inputs = [
      [Float](repeating: 0, count: k), [Float](repeating: -0.0, count: k),
      [Float](repeating: 1, count: k), [Float](repeating: -3e38, count: k),
      [Float](repeating: Float(bitPattern: 700), count: k),
      (0..<k).map { $0 % 2 == 0 ? Float(1) : -1 },
    ]
    for special in [Float.nan, .infinity, -.infinity] {
      var x = random.floats(k)
      x[7] = special
      inputs.append(x)
    }
    let a = QuantizedActivations(inputs.flatMap { $0 })
    let oracles = [false, true].map {
      product(type, weights, rows: rows, k: k, a, tokens: inputs.count, .oracle(fused: $0))
    }
    for variant in KernelVariant.available {
      let expected = oracles[variant.isFused ? 1 : 0]
      let result = product(
        type, weights, rows: rows, k: k, a, tokens: inputs.count, .variant(variant))
      #expect(sameBits(result, expected), "\(type) \(variant.name)")
      for t in 0..<inputs.count {
        let one = QuantizedActivations(inputs[t])
        let single = product(type, weights, rows: rows, k: k, one, tokens: 1, .variant(variant))
        #expect(sameBits(single, Array(expected[(t * rows)..<((t + 1) * rows)])))
      }
    }
    // The inputs with NaN show it wherever the weight's scale is not NaN already.
    let unit = 10 * payloads.count + payloads.count - 1
    for oracle in oracles { #expect(oracle[6 * rows + unit].isNaN) }
  }

  @Test("all bytes in all places give the oracle's bits", arguments: QuantizedType.all)
  func everyByte(_ type: QuantizedType) {
    var random = RandomNumbers(seed: 9)
    let places = (0..<type.blockBytes).filter { place in
      !type.scaleOffsets.contains { $0 == place || $0 + 1 == place }
    }
    let a = QuantizedActivations(random.floats(type.blockSize))
    for place in places {
      var weights = type.randomBlocks(256, &random)
      for value in 0..<256 { weights[value * type.blockBytes + place] = UInt8(value) }
      let expected = [false, true].map {
        product(type, weights, rows: 256, k: type.blockSize, a, tokens: 1, .oracle(fused: $0))
      }
      for variant in KernelVariant.available {
        let result = product(
          type, weights, rows: 256, k: type.blockSize, a, tokens: 1, .variant(variant))
        #expect(
          sameBits(result, expected[variant.isFused ? 1 : 0]),
          "\(type) \(variant.name) byte \(place)")
      }
    }
  }

  @Test(
    "golden products are within the tolerance of int8 activations", arguments: QuantizedType.all)
  func goldenProducts(_ type: QuantizedType) throws {
    let index = try JSONDecoder().decode(
      Index.self, from: Data(contentsOf: Fixtures.best("kernels/index.json")))
    let golden = try #require(index.matvec[type.name])
    let (rows, k) = (golden.rows, golden.cols)
    let weights = [UInt8](try Data(contentsOf: Fixtures.best("kernels/\(type.name).matvec.bin")))
    let data = try Fixtures.floats(Fixtures.best("kernels/\(type.name).matvec.f32"))
    let vectors = golden.peer.count
    try #require(data.count == vectors * (k + rows))
    for v in 0..<vectors {
      let a = QuantizedActivations(Array(data[(v * k)..<((v + 1) * k)]))
      let y = data[(vectors * k + v * rows)..<(vectors * k + (v + 1) * rows)].map { Double($0) }
      let result = product(type, weights, rows: rows, k: k, a, tokens: 1, .variant(.portable))
      let error = worstError(result, y)
      print("\(type) golden vector \(v): error \(error), allowed \(golden.peer[v].tolerance_abs)")
      #expect(error <= golden.peer[v].tolerance_abs)
    }
  }

  @Test("products of random rows stay near the exact value of the decoded weights")
  func nearExact() {
    var random = RandomNumbers(seed: 3)
    for type in QuantizedType.all {
      let k = 512
      let rows = 1000
      let weights = type.randomBlocks(rows * k / type.blockSize, &random)
      var values = [Float](repeating: 0, count: rows * k)
      weights.withUnsafeBytes {
        if let base = $0.baseAddress { Kernels.dequantize(type.id, base, rows * k, &values) }
      }
      let a = QuantizedActivations(random.floats(k))
      let x = (0..<k).map { Double(a.q[$0]) * Double(a.scales[$0 / 32]) }
      let result = product(type, weights, rows: rows, k: k, a, tokens: 1, .variant(.portable))
      var worst = 0.0
      for r in 0..<rows {
        var exact = 0.0
        var size = 0.0
        for i in 0..<k {
          let term = Double(values[r * k + i]) * x[i]
          exact += term
          size += abs(term)
        }
        worst = max(worst, abs(Double(result[r]) - exact) / size)
      }
      print("\(type): product of decoded weights, worst error \(worst) of the sum of magnitudes")
      #expect(worst < 1e-6)
    }
  }
}
