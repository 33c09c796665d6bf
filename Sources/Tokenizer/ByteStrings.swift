/// A list of byte strings in one piece of memory. Bytes, not `String`: tokens may be invalid UTF-8,
/// and `String` takes canonically equivalent texts for equal.
public struct ByteStrings: Sendable {
  private var storage: [UInt8] = []
  /// Where each string ends, with a leading 0.
  private var ends: [Int] = [0]

  public init() {}

  public init(_ texts: some Sequence<String>) {
    for text in texts { append(text.utf8) }
  }

  public var count: Int { ends.count - 1 }

  public mutating func reserveCapacity(_ count: Int) {
    ends.reserveCapacity(count + 1)
    storage.reserveCapacity(count * 8)
  }

  public mutating func append(_ bytes: some Sequence<UInt8>) {
    storage.append(contentsOf: bytes)
    ends.append(storage.count)
  }

  /// The bytes of the string at `index`, which must be in 0..<`count`.
  public subscript(index: Int) -> ArraySlice<UInt8> {
    storage[ends[index]..<ends[index + 1]]
  }
}
