import Foundation

/// Bytes that stay where they are and as they are for as long as the object lives: a mapped file or
/// memory of its own.
final class ByteStorage: Sendable {
  // Safe to share: written only before `init` returns and released only in `deinit`.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let mappedFile: MappedFile?

  /// Keeps the descriptor beside the mapping, to notice later that the file was changed.
  private struct MappedFile {
    let file: FileDescriptor
    let state: FileState
  }

  /// Memory is aligned to pages as mappings are, so that offsets tell the alignment of addresses.
  private static let allocationAlignment = 4096

  init(mapping file: FileDescriptor) throws(GGUFError) {
    let state = try file.state()
    if state.byteCount == 0 {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    } else {
      bytes = try file.map(byteCount: state.byteCount)
    }
    mappedFile = MappedFile(file: file, state: state)
  }

  /// Reads the whole file; fails if it changes meanwhile.
  init(reading file: FileDescriptor) throws(GGUFError) {
    let state = try file.state()
    let buffer = Self.allocate(state.byteCount)
    bytes = UnsafeRawBufferPointer(buffer)
    mappedFile = nil
    try file.readAll(into: buffer)
    guard try file.state() == state else { throw .fileChanged(path: file.path) }
  }

  init(copying bytes: UnsafeRawBufferPointer) {
    let buffer = Self.allocate(bytes.count)
    buffer.copyMemory(from: bytes)
    self.bytes = UnsafeRawBufferPointer(buffer)
    mappedFile = nil
  }

  deinit {
    if mappedFile == nil {
      bytes.deallocate()
    } else if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }

  /// Throws unless the mapped file has the size and modification time it was mapped with. Memory of
  /// its own cannot change.
  func checkUnchanged() throws(GGUFError) {
    guard let mappedFile, try mappedFile.file.state() != mappedFile.state else { return }
    throw .fileChanged(path: mappedFile.file.path)
  }

  private static func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: byteCount, alignment: allocationAlignment)
  }
}
