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

  /// The file's first bytes through a mapping, to be ended with `unmap`.
  func map(byteCount: Int) throws(GGUFError) -> UnsafeRawBufferPointer {
    // The system maps no empty range.
    if byteCount == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else {
      throw .systemFailure(operation: "map", path: path, code: errno)
    }
    return UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  static func unmap(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
  }

  /// Bytes read or written per call: some systems refuse more than 2 GB at a time.
  static let transferLimit = 1 << 30

  func readAll(into buffer: UnsafeMutableRawBufferPointer) throws(GGUFError) {
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
