import Foundation

/// What is compared to notice that a file was changed.
struct FileState: Sendable, Equatable {
  let byteCount: Int
  let seconds: Int
  let nanoseconds: Int
}

/// An open regular file, closed when the object ends.
final class FileDescriptor: Sendable {
  let path: String
  private let descriptor: Int32

  init(opening path: String) throws(GGUFError) {
    // Opening a named pipe must not wait for its other end: it is refused below.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotOpen(path: path, Self.problem(errno, path: path)) }
    self.descriptor = descriptor
    self.path = path

    switch try fileStatus().st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .cannotOpen(path: path, .isDirectory)
    default: throw .cannotOpen(path: path, .isNoRegularFile)
    }
  }

  deinit { close(descriptor) }

  func state() throws(GGUFError) -> FileState {
    let status = try fileStatus()
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    return FileState(
      byteCount: Int(status.st_size), seconds: modified.tv_sec, nanoseconds: modified.tv_nsec)
  }

  static let pageBytes = Int(getpagesize())

  /// The files' bytes through one mapping, each at its place, to be ended with `unmap`.
  ///
  /// - Parameter places: in order, without overlap, each from the start of a page on.
  static func map(
    _ files: [FileDescriptor], at places: [Range<Int>]
  ) throws(GGUFError) -> UnsafeRawBufferPointer {
    // The system maps no empty range.
    guard let end = places.last?.upperBound, end > 0 else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    // Address space alone, which the files then take over.
    let reserved = mmap(nil, end, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let reserved, reserved != MAP_FAILED else {
      throw .systemFailure(operation: "map", path: files.first?.path ?? "", code: errno)
    }
    for (file, place) in zip(files, places) where !place.isEmpty {
      let start = mmap(
        reserved + place.lowerBound, place.count, PROT_READ, MAP_PRIVATE | MAP_FIXED,
        file.descriptor, 0)
      guard start != MAP_FAILED else {
        let code = errno
        munmap(reserved, end)
        throw .systemFailure(operation: "map", path: file.path, code: code)
      }
    }
    return UnsafeRawBufferPointer(start: reserved, count: end)
  }

  static func unmap(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
  }

  /// Bytes read or written per call: some systems refuse more than 2 GB at a time.
  static let transferLimit = 1 << 30

  func readAll(into buffer: UnsafeMutableRawBufferPointer) throws(GGUFError) {
    // A split model's first part is read a second time, with the others.
    lseek(descriptor, 0, SEEK_SET)
    try Self.fill(buffer, path: path) { [descriptor] in read(descriptor, $0, $1) }
  }

  /// Calls `read` (a function like the system's) until the buffer is full: short reads are
  /// continued and interrupted ones repeated.
  static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, path: String,
    read: (UnsafeMutableRawPointer, Int) -> Int
  ) throws(GGUFError) {
    guard let start = buffer.baseAddress else { return }
    var filled = 0
    while filled < buffer.count {
      let count = read(start + filled, min(buffer.count - filled, transferLimit))
      switch count {
      case 1...: filled += count
      case 0: throw .fileChanged(path: path)
      default:
        let code = errno
        if code != EINTR { throw .systemFailure(operation: "read", path: path, code: code) }
      }
    }
  }

  private func fileStatus() throws(GGUFError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .systemFailure(operation: "inspect", path: path, code: errno)
    }
    return status
  }

  private static func problem(_ code: Int32, path: String) -> GGUFError.FileProblem {
    switch code {
    case ENOENT:
      var status = stat()
      return lstat(path, &status) == 0 ? .isDanglingLink : .doesNotExist
    case EACCES, EPERM: return .isNotReadable
    default: return .systemFailure(code: code)
    }
  }
}
