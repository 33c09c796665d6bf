/// A set of token ids that may be drawn next, one bit per id.
public struct TokenMask: Sendable, Equatable {
  /// The number of ids the mask speaks of, from 0.
  public let count: Int
  /// Bit `id % 64` of word `id / 64` is set where `id` is allowed.
  public internal(set) var words: [UInt64]

  /// A mask over `count` ids that allows none of them.
  public init(count: Int) {
    self.count = max(0, count)
    words = [UInt64](repeating: 0, count: (self.count + 63) / 64)
  }

  /// Allows `id`; ids outside the mask are ignored.
  public mutating func insert(_ id: Int32) {
    guard id >= 0, Int(id) < count else { return }
    words[Int(id) >> 6] |= 1 << UInt64(id & 63)
  }

  /// Forbids `id`.
  public mutating func remove(_ id: Int32) {
    guard id >= 0, Int(id) < count else { return }
    words[Int(id) >> 6] &= ~(1 << UInt64(id & 63))
  }

  /// Forbids every id.
  public mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  /// Whether `id` is allowed; ids outside the mask are not.
  public func contains(_ id: Int32) -> Bool {
    id >= 0 && Int(id) < count && words[Int(id) >> 6] >> UInt64(id & 63) & 1 == 1
  }
}
