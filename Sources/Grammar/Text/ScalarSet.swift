/// A set of Unicode scalar values, as sorted ranges that neither overlap nor touch.
struct ScalarSet: Hashable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>]

  static let surrogates: ClosedRange<UInt32> = 0xD800...0xDFFF
  static let last: UInt32 = 0x10FFFF
  static let all = ScalarSet([0...0xD7FF, 0xE000...last])

  init(_ ranges: [ClosedRange<UInt32>] = []) {
    self.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let end = self.ranges.last, range.lowerBound <= end.upperBound &+ 1 {
        self.ranges[self.ranges.count - 1] =
          end.lowerBound...max(end.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  var isEmpty: Bool { ranges.isEmpty }

  func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

  /// All scalar values outside this set (surrogates are none).
  var complement: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in union(ScalarSet([Self.surrogates])).ranges {
      if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= Self.last { gaps.append(next...Self.last) }
    return ScalarSet(gaps)
  }
}
