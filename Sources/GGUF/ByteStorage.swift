import Foundation

/// Bytes that stay where they are and as they are for as long as the object lives: a mapped file or
/// memory of its own.
final class ByteStorage: Sendable {
  // Safe to share: written only before `init` returns and released only in `deinit`.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let owner: Owner

  private enum Owner {
    /// The descriptor stays open, to notice later that the file was changed.
    case mapping(FileDescriptor, FileState)
    /// From `posix_memalign`.
    case memory
    /// From Swift.
    case allocation
  }

  /// Memory is aligned as the data of common files is, and more than any number needs.
  private static let alignment = 64

  init(mapping file: FileDescriptor) throws(GGUFError) {
    let state = try file.state()
    bytes = try file.map(byteCount: state.byteCount)
    owner = .mapping(file, state)
  }

  /// Reads the whole file; fails if it changes meanwhile.
  init(reading file: FileDescriptor) throws(GGUFError) {
    let state = try file.state()
    // Unlike Swift's own allocation this one can fail without ending the process.
    var memory: UnsafeMutableRawPointer?
    let code = posix_memalign(&memory, Self.alignment, max(state.byteCount, 1))
    guard code == 0 else {
      throw .systemFailure(operation: "find memory for", path: file.path, code: code)
    }
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: state.byteCount)
    bytes = UnsafeRawBufferPointer(buffer)
    owner = .memory
    try file.readAll(into: buffer)
    guard try file.state() == state else { throw .fileChanged(path: file.path) }
  }

  init(copying bytes: UnsafeRawBufferPointer) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count, alignment: Self.alignment)
    buffer.copyMemory(from: bytes)
    self.bytes = UnsafeRawBufferPointer(buffer)
    owner = .allocation
  }

  /// Keeps the bytes in main memory for as long as the object lives.
  func lock(path: String) throws(GGUFError) {
    guard let start = bytes.baseAddress, mlock(start, bytes.count) != 0 else { return }
    let code = errno
    throw .lockRefused(
      path: path, byteCount: bytes.count, limit: Self.lockLimit, code: code)
  }

  /// How many bytes this process may lock; nil where there is no limit.
  private static var lockLimit: Int? {
    #if canImport(Glibc)
      let resource = Int32(__RLIMIT_MEMLOCK.rawValue)
    #else
      let resource = RLIMIT_MEMLOCK
    #endif
    var limit = rlimit()
    // All bits set, or the biggest signed number, mean "none".
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < Int.max else { return nil }
    return Int(limit.rlim_cur)
  }

  deinit {
    switch owner {
    case .mapping: FileDescriptor.unmap(bytes)
    case .memory:
      // Pages given back to the heap would stay locked.
      munlock(bytes.baseAddress, bytes.count)
      free(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    case .allocation: bytes.deallocate()
    }
  }

  /// Throws unless the mapped file has the size and modification time it was mapped with. Memory of
  /// its own cannot change.
  func checkUnchanged() throws(GGUFError) {
    guard case .mapping(let file, let state) = owner, try file.state() != state else { return }
    throw .fileChanged(path: file.path)
  }
}
