import Compute
import GGUF
import TestSupport
import Testing

/// Operations on many rows at once, every variant against the scalar reference over every tail.
@Suite struct DenseOperationTests {
  private static let fast = KernelVariant.allCases.filter {
    $0 != .scalar && $0 != .blas && $0.isAvailable
  }

  private func floats(_ count: Int, _ random: inout SeededRandom) -> [Float] {
    (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }

  private func compute(
    _ variant: KernelVariant, members: Int = 1, positions: Int = 1, dimension: Int = 1
  ) throws -> Compute {
    try Compute(
      variant: variant, members: members, widest: 4_096,
      dense: DenseSizes(positions: positions, headDimension: dimension, isRelative: true))
  }

  /// What all members together write.
  private func result(
    _ count: Int, _ compute: Compute, _ body: (UnsafeMutablePointer<Float>, Int) -> Void
  ) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: .nan)
      initialized = count
      guard let base = buffer.baseAddress else { return }
      for member in 0..<compute.members { body(base, member) }
    }
  }

  private func error(_ a: [Float], _ b: [Float]) -> Float {
    zip(a, b).reduce(0) { worst, pair in
      let error = abs(pair.0 - pair.1)
      return error.isNaN ? .infinity : max(worst, error)
    }
  }

  @Test func productsAreThoseOfTheReference() throws {
    var random = SeededRandom(seed: 1)
    var worst: Float = 0
    for rows in [1, 2, 15, 16, 17, 31, 33, 48, 100] {
      for tokens in [1, 2, 5, 6, 7, 8, 13, 40] {
        let k = [1, 3, 16, 33, 100, 257].randomElement(using: &random) ?? 1
        let (weights, x, bias) = (
          floats(rows * k, &random), floats(tokens * (k + 3), &random), floats(rows, &random)
        )
        let stride = rows + 5
        func product(_ compute: Compute, tokens: Int, first: Int = 0) -> [Float] {
          weights.withUnsafeBytes { weights in
            guard let data = weights.baseAddress else { return [] }
            let matrix = Matrix(data: data, type: .F32, rows: rows, columns: k, rowBytes: k * 4)
            return result(tokens * stride, compute) { out, member in
              x.withUnsafeBufferPointer { x in
                guard let x = x.baseAddress else { return }
                compute.multiplyDense(
                  matrix, bias: bias, x + first * (k + 3), inputStride: k + 3, tokens: tokens, out,
                  outStride: stride, member: member)
              }
            }
          }
        }
        func written(_ values: [Float]) -> [Float] { values.filter { !$0.isNaN } }
        let reference = try written(product(compute(.scalar), tokens: tokens))
        #expect(reference.count == rows * tokens)
        var bits: [Float]?
        for variant in Self.fast {
          let values = try written(product(compute(variant), tokens: tokens))
          worst = max(worst, error(values, reference))
          #expect(values.count == reference.count)
          let shared = try written(product(compute(variant, members: 3), tokens: tokens))
          #expect(shared == values, "members")
          let alone = try written(product(compute(variant), tokens: 1, first: tokens - 1))
          #expect(Array(values.suffix(rows)) == alone, "a token's result depends on the others")
          if variant != .portable {
            #expect(bits == nil || bits == values, "\(variant)")
            bits = values
          }
        }
      }
    }
    print("multiplyDense: worst error \(worst)")
    #expect(worst < 2e-5)
  }

  @Test func attentionIsThatOfTheReference() throws {
    var random = SeededRandom(seed: 2)
    var (worst, worstRelative): (Float, Float) = (0, 0)
    for positions in [1, 2, 15, 16, 17, 50, 97, 130, 200] {
      for (heads, dimension) in [(1, 64), (2, 16), (3, 72), (2, 5)] {
        let width = heads * dimension
        let (qkv, distances, relative) = (
          floats(positions * 3 * width, &random), floats(positions * width, &random),
          floats((2 * positions - 1) * width, &random)
        )
        func plain(_ compute: Compute) -> [Float] {
          result(positions * width, compute) { out, member in
            compute.attendAll(
              qkv, stride: 3 * width, positions: positions, heads: heads, dimension: dimension, out,
              member: member, shouldStop: { false })
          }
        }
        func withDistances(_ compute: Compute) -> [Float] {
          result(positions * width, compute) { out, member in
            compute.attendRelative(
              qkv, stride: 3 * width, distances: distances, relative: relative,
              positions: positions, heads: heads, dimension: dimension, out, member: member,
              shouldStop: { false })
          }
        }
        func make(_ variant: KernelVariant, _ members: Int = 1) throws -> Compute {
          try compute(variant, members: members, positions: positions, dimension: dimension)
        }
        let reference = try plain(make(.scalar))
        let relativeReference = try withDistances(make(.scalar))
        for variant in Self.fast {
          let values = try plain(make(variant))
          worst = max(worst, error(values, reference))
          #expect(try plain(make(variant, 4)) == values)
          let shifted = try withDistances(make(variant))
          worstRelative = max(worstRelative, error(shifted, relativeReference))
          #expect(try withDistances(make(variant, 4)) == shifted)
        }
      }
    }
    print("attendAll: worst error \(worst); attendRelative: \(worstRelative)")
    #expect(worst < 5e-6 && worstRelative < 5e-6)
  }

  @Test func vectorOperationsAreThoseOfTheReference() throws {
    var random = SeededRandom(seed: 3)
    var worst: [String: Float] = [:]
    for count in [1, 2, 15, 16, 17, 31, 33, 100, 768, 2_048] {
      let (x, y, z) = (
        floats(count, &random).map { $0 * 6 }, floats(count, &random).map { $0 * 30 },
        floats(count, &random)
      )
      let scalar = try compute(.scalar)
      for variant in Self.fast {
        let fast = try compute(variant)
        func compare(
          _ name: String, _ body: (Compute, UnsafeMutablePointer<Float>) -> Void
        ) {
          func run(_ compute: Compute) -> [Float] {
            result(count, compute) { out, _ in
              x.withUnsafeBufferPointer { x in
                if let base = x.baseAddress { out.update(from: base, count: count) }
              }
              body(compute, out)
            }
          }
          worst[name] = max(worst[name] ?? 0, error(run(fast), run(scalar)))
        }
        compare("layerNorm") { compute, out in
          compute.layerNorm(x, weight: y, bias: z, count: count, epsilon: 1e-5, out)
        }
        compare("geluTanh") { $0.geluTanh($1, count: count) }
        compare("geluErf") { $0.geluErf($1, count: count) }
        compare("sigmoidMultiply") { $0.sigmoidMultiply(gate: y, x, $1, count: count) }
        compare("multiplyAdd") { $0.add(y, times: z, to: $1, count: count) }
      }
    }
    print("vector operations, worst errors: \(worst.sorted { $0.key < $1.key })")
    #expect(worst.count == 5)
    #expect(worst.filter { $0.key != "layerNorm" }.values.allSatisfy { $0 < 2e-6 })
    // Weights up to 30.
    #expect(worst["layerNorm"] ?? 1 < 1e-4)
  }
}
