import Foundation

/// Bytes that stay where they are and as they are for as long as the object lives: a mapped file or
/// memory of its own.
final class ByteStorage: Sendable {
  // Safe to share: written only before `init` returns and released only in `deinit`.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private let owner: Owner

  private enum Owner {
    /// The descriptors stay open, to notice later that a file was changed.
    case mapping([(file: FileDescriptor, state: FileState)])
    /// From `posix_memalign`.
    case memory
    /// From Swift.
    case allocation
  }

  /// Memory is aligned as the data of common files is, and more than any number needs.
  private static let alignment = 64

  /// Where the bytes of each file lie: one behind another, each from the start of a page on.
  let places: [Range<Int>]

  /// Maps files side by side.
  init(mapping files: [FileDescriptor]) throws(GGUFError) {
    let states = try Self.states(of: files)
    places = try Self.places(of: states)
    bytes = try FileDescriptor.map(files, at: places)
    owner = .mapping(states)
  }

  /// Reads whole files; fails if one changes meanwhile.
  init(reading files: [FileDescriptor]) throws(GGUFError) {
    let states = try Self.states(of: files)
    places = try Self.places(of: states)
    let byteCount = places.last?.upperBound ?? 0
    // Unlike Swift's own allocation this one can fail without ending the process.
    var memory: UnsafeMutableRawPointer?
    let code = posix_memalign(&memory, Self.alignment, max(byteCount, 1))
    guard code == 0 else {
      throw .systemFailure(operation: "find memory for", path: files.first?.path ?? "", code: code)
    }
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    bytes = UnsafeRawBufferPointer(buffer)
    owner = .memory
    var filled = 0
    for ((file, state), place) in zip(states, places) {
      // What lies between files is compared and hashed like the rest.
      for index in filled..<place.lowerBound { buffer[index] = 0 }
      try file.readAll(into: UnsafeMutableRawBufferPointer(rebasing: buffer[place]))
      guard try file.state() == state else { throw .fileChanged(path: file.path) }
      filled = place.upperBound
    }
  }

  private static func states(
    of files: [FileDescriptor]
  ) throws(GGUFError) -> [(file: FileDescriptor, state: FileState)] {
    var states: [(file: FileDescriptor, state: FileState)] = []
    for file in files { states.append((file, try file.state())) }
    return states
  }

  private static func places(
    of states: [(file: FileDescriptor, state: FileState)]
  ) throws(GGUFError) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for (file, state) in states {
      guard let start = (places.last?.upperBound ?? 0).rounded(upTo: FileDescriptor.pageBytes),
        let end = start.adding(state.byteCount)
      else { throw .systemFailure(operation: "find memory for", path: file.path, code: ENOMEM) }
      places.append(start..<end)
    }
    return places
  }

  init(copying bytes: UnsafeRawBufferPointer) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count, alignment: Self.alignment)
    buffer.copyMemory(from: bytes)
    self.bytes = UnsafeRawBufferPointer(buffer)
    places = [0..<bytes.count]
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

  /// Throws unless the mapped files have the size and modification time they were mapped with.
  /// Memory of its own cannot change.
  func checkUnchanged() throws(GGUFError) {
    guard case .mapping(let states) = owner else { return }
    for (file, state) in states where try file.state() != state {
      throw .fileChanged(path: file.path)
    }
  }
}
