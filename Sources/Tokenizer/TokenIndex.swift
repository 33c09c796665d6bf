/// Finds a token's id by its text: a hash table with open addressing over texts kept elsewhere, so
/// that looking up a run of bytes makes no copy of it.
struct TokenIndex: Sendable {
  /// Ids, -1 in free slots; a power of two of them, at least half free.
  private var slots: [Int32]

  init(capacity: Int) {
    var size = 16
    while size < 2 * capacity { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
  }

  /// Adds a token; returns the one that has the same text already, if any.
  mutating func insert(_ id: Int32, in tokens: ByteStrings) -> Int32? {
    let text = tokens[Int(id)]
    let slot = slot(of: text, in: tokens)
    if slots[slot] >= 0 { return slots[slot] }
    slots[slot] = id
    return nil
  }

  func id(of text: ArraySlice<UInt8>, in tokens: ByteStrings) -> Int32? {
    let id = slots[slot(of: text, in: tokens)]
    return id >= 0 ? id : nil
  }

  /// The slot that holds the text, or the free one where it belongs.
  private func slot(of text: ArraySlice<UInt8>, in tokens: ByteStrings) -> Int {
    var hasher = Hasher()
    text.withUnsafeBytes { hasher.combine(bytes: $0) }
    var slot = hasher.finalize() & (slots.count - 1)
    while slots[slot] >= 0, tokens[Int(slots[slot])] != text {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}
