import Foundation

/// A quantised weight type as the tests see it.
struct QuantizedType: Sendable, CustomStringConvertible {
  let id: UInt32
  let name: String
  let blockSize: Int
  let blockBytes: Int
  /// Where the half-precision scales lie in a block.
  let scaleOffsets: [Int]
  /// Whether the values are scale * integer + minimum, with two roundings.
  let isAffine: Bool

  var description: String { name }

  static let all: [QuantizedType] = [
    QuantizedType(2, "Q4_0", 32, 18, [0], false),
    QuantizedType(3, "Q4_1", 32, 20, [0, 2], true),
    QuantizedType(6, "Q5_0", 32, 22, [0], false),
    QuantizedType(7, "Q5_1", 32, 24, [0, 2], true),
    QuantizedType(8, "Q8_0", 32, 34, [0], false),
    QuantizedType(10, "Q2_K", 256, 84, [80, 82], true),
    QuantizedType(11, "Q3_K", 256, 110, [108], false),
    QuantizedType(12, "Q4_K", 256, 144, [0, 2], true),
    QuantizedType(13, "Q5_K", 256, 176, [0, 2], true),
    QuantizedType(14, "Q6_K", 256, 210, [208], false),
  ]

  init(
    _ id: UInt32, _ name: String, _ blockSize: Int, _ blockBytes: Int, _ scaleOffsets: [Int],
    _ isAffine: Bool
  ) {
    self.id = id
    self.name = name
    self.blockSize = blockSize
    self.blockBytes = blockBytes
    self.scaleOffsets = scaleOffsets
    self.isAffine = isAffine
  }

  func rowBytes(_ k: Int) -> Int { k / blockSize * blockBytes }

  /// Blocks of random bytes whose scales are finite and of moderate size.
  func randomBlocks(_ count: Int, _ random: inout RandomNumbers) -> [UInt8] {
    var bytes = (0..<(count * blockBytes)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    for block in 0..<count {
      for offset in scaleOffsets {
        setScale(UInt16(0x2000 + random.next() % 0x1400), block, offset, &bytes)
      }
    }
    return bytes
  }

  func setScale(_ bits: UInt16, _ block: Int, _ offset: Int, _ bytes: inout [UInt8]) {
    bytes[block * blockBytes + offset] = UInt8(bits & 0xff)
    bytes[block * blockBytes + offset + 1] = UInt8(bits >> 8)
  }
}

/// A small reproducible generator (xorshift).
struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func floats(_ count: Int, _ range: ClosedRange<Float> = -1...1) -> [Float] {
    (0..<count).map { _ in Float.random(in: range, using: &self) }
  }
}

/// Whether all bits agree, all NaN being alike.
func sameBits(_ a: [Float], _ b: [Float]) -> Bool {
  let equal = a.withUnsafeBytes { x in b.withUnsafeBytes { y in x.elementsEqualFast(y) } }
  return equal || bits(a) == bits(b)
}

extension UnsafeRawBufferPointer {
  fileprivate func elementsEqualFast(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let a = baseAddress, let b = other.baseAddress else {
      return count == other.count
    }
    return memcmp(a, b, count) == 0
  }
}

/// Bit patterns, all NaN alike.
func bits(_ values: [Float]) -> [UInt32] {
  values.map { $0.isNaN ? 0x7fc0_0000 : $0.bitPattern }
}

/// The largest difference, relative to `scale` where given.
func worstError(_ values: [Float], _ expected: [Double]) -> Double {
  zip(values, expected).map { abs(Double($0) - $1) }.max() ?? 0
}
