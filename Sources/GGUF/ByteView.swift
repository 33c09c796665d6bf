import Foundation

/// A part of a storage's bytes. Every load from a file or metadata array goes through here, where it
/// is checked against the bounds.
struct ByteView: Sendable {
  let storage: ByteStorage
  private let start: Int
  let count: Int

  /// All bytes of a storage.
  init(_ storage: ByteStorage) {
    self.storage = storage
    start = 0
    count = storage.bytes.count
  }

  private init(storage: ByteStorage, start: Int, count: Int) {
    self.storage = storage
    self.start = start
    self.count = count
  }

  /// `count` bytes from `offset` on, or nil where they are not all inside.
  func subview(offset: Int, count: Int) -> ByteView? {
    guard contains(offset: offset, count: count) else { return nil }
    return ByteView(storage: storage, start: start + offset, count: count)
  }

  /// The little-endian integer at an offset, or nil where it is not wholly inside.
  func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T? {
    guard contains(offset: offset, count: MemoryLayout<T>.size) else { return nil }
    return T(littleEndian: storage.bytes.loadUnaligned(fromByteOffset: start + offset, as: T.self))
  }

  /// The bytes themselves; valid while the storage lives.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage.bytes[start..<(start + count)])
  }

  /// `bytes` of a part, or nil where it is not all inside.
  func bytes(offset: Int, count: Int) -> UnsafeRawBufferPointer? {
    subview(offset: offset, count: count)?.bytes
  }

  private func contains(offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= self.count && count <= self.count - offset
  }
}

extension ByteView: Equatable {
  static func == (lhs: ByteView, rhs: ByteView) -> Bool {
    guard lhs.count == rhs.count else { return false }
    guard let left = lhs.bytes.baseAddress, let right = rhs.bytes.baseAddress else { return true }
    return memcmp(left, right, lhs.count) == 0
  }
}
