/// The merges by the ids of their two parts, each with its rank and the id of the result: a hash
/// table with open addressing.
struct MergeTable: Sendable {
  /// A merge: the rank in the upper half, so that merges compare by rank, the result in the lower.
  typealias Merge = UInt64
  static let none = Merge.max

  static func result(of merge: Merge) -> Int32 { Int32(truncatingIfNeeded: merge) }

  private var pairs: [UInt64]
  private var merges: [Merge]
  private let shift: UInt64
  /// A random multiplier: no file can be made to fill one corner of the table.
  private let multiplier = UInt64.random(in: .min ... .max) | 1

  init(capacity: Int) {
    var bits = 4
    while 1 << bits < 2 * capacity { bits += 1 }
    shift = UInt64(64 - bits)
    pairs = [UInt64](repeating: .max, count: 1 << bits)
    merges = [Merge](repeating: Self.none, count: 1 << bits)
  }

  /// Adds a merge of two ids, none of them negative. Of two for one pair the first counts.
  mutating func insert(_ left: Int32, _ right: Int32, rank: Int, result: Int32) {
    let pair = Self.pair(left, right)
    let slot = slot(of: pair)
    guard pairs[slot] != pair else { return }
    pairs[slot] = pair
    merges[slot] = UInt64(rank) << 32 | UInt64(UInt32(bitPattern: result))
  }

  /// The merge for two ids, `none` if there is none.
  func merge(_ left: Int32, _ right: Int32) -> Merge {
    merges[slot(of: Self.pair(left, right))]
  }

  private static func pair(_ left: Int32, _ right: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }

  /// The slot that holds the pair, or the free one where it belongs.
  private func slot(of pair: UInt64) -> Int {
    let mask = pairs.count - 1
    var slot = Int(truncatingIfNeeded: ((pair ^ (pair >> 29)) &* multiplier) >> shift)
    while pairs[slot] != pair, pairs[slot] != .max { slot = (slot + 1) & mask }
    return slot
  }
}
