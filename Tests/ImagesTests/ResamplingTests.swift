import TestSupport
import Testing

@testable import Images

/// Resizing, many samples at a time, against the plain way to do it.
@Suite struct ResamplingTests {
  /// Weights times samples in two passes, one result after the other.
  private func reference(
    _ image: RGBImage, width: Int, height: Int, columns: Range<Int>, rows: Range<Int>
  ) -> [UInt8] {
    func pass(_ weights: ResamplingWeights?, _ index: Int, _ sample: (Int) -> UInt8) -> UInt8 {
      guard let weights else { return sample(index) }
      var sum = 1 << (weights.bits - 1)
      for tap in 0..<weights.counts[index] {
        let weight = Int(weights.values[index * weights.stride + tap])
        sum += weight * Int(sample(weights.starts[index] + tap))
      }
      return UInt8(clamping: sum >> weights.bits)
    }
    let across = width == image.width ? nil : ResamplingWeights(from: image.width, to: width)
    let down = height == image.height ? nil : ResamplingWeights(from: image.height, to: height)
    let narrow = (0..<image.height).flatMap { y in
      columns.flatMap { x in
        (0..<3).map { channel in
          pass(across, x) { image.pixels[(y * image.width + $0) * 3 + channel] }
        }
      }
    }
    let length = columns.count * 3
    return rows.flatMap { y in
      (0..<length).map { index in pass(down, y) { narrow[$0 * length + index] } }
    }
  }

  private func picture(_ width: Int, _ height: Int) throws -> RGBImage {
    // Extremes side by side, and everything between.
    let pixels = Pictures.procedural(width: width, height: height).map {
      $0 < 64 ? 0 : $0 > 192 ? 255 : $0
    }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  @Test func everyTailOfRowsAndColumnsHasTheBitsOfThePlainWay() throws {
    var samples = 0
    for height in Array(1...34) + [63, 80] {
      let image = try picture(37 + height % 5, height)
      for (width, columns) in [(16, 0..<16), (53, 3..<40), (11, 0..<11), (29, 28..<29)] {
        for (size, rows) in [(height, 0..<height), (height * 2 + 1, 0..<height), (7, 2..<6)] {
          let result = Resampling.part(
            of: image, stretchedTo: (width, size), columns: columns, rows: rows)
          samples += result.count
          #expect(
            result
              == reference(image, width: width, height: size, columns: columns, rows: rows),
            "\(image.width)x\(height) to \(width)x\(size), \(columns), \(rows)")
        }
      }
    }
    print("resampling: \(samples) samples, worst difference 0")
  }

  @Test func strongReductionsHaveTheBitsOfThePlainWay() throws {
    for (from, to) in [((1_500, 40), (16, 3)), ((40, 1_500), (5, 32)), ((2, 900), (64, 1))] {
      let image = try picture(from.0, from.1)
      let result = Resampling.part(
        of: image, stretchedTo: to, columns: 0..<to.0, rows: 0..<to.1)
      #expect(
        result == reference(image, width: to.0, height: to.1, columns: 0..<to.0, rows: 0..<to.1))
    }
  }

  /// The sums themselves, also with weights that lead beyond 255 and with as many as there may be.
  @Test func sixteenSumsAreSixteenTimesOne() {
    var state: UInt64 = 1
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 40)
    }
    for count in [0, 1, 2, 3, 4, 7, 16, 33, 401] {
      for bits in [14, 15, 18, 21] as [Int32] {
        for largest in [Int16(1), 700, .max] where Int(largest) * count < 1 << 22 {
          let stride = 19
          let samples = (0..<count * stride + 32).map { _ in UInt8(next() & 255) }
          let weights = (0..<count).map { _ in Int16(next() % (Int(largest) + 1)) }
          var (fast, lanes) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
          let plain = weights.withUnsafeBufferPointer { weights in
            let taps = ResamplingTaps(weights: weights, bits: bits)
            return samples.withUnsafeBytes { samples in
              guard let first = samples.baseAddress else { return [UInt8]() }
              fast.withUnsafeMutableBytes { out in
                if let out = out.baseAddress { weightedSixteen(first, stride: stride, taps, out) }
              }
              lanes.withUnsafeMutableBytes { out in
                if let out = out.baseAddress { weightedLanes(first, stride: stride, taps, out) }
              }
              return (0..<16).map { weightedSum(first + $0, stride: stride, taps) }
            }
          }
          #expect(fast == plain && lanes == plain, "\(count) weights, \(bits) bits, \(largest)")
        }
      }
    }
  }
}
