import Foundation

/// A file that appears under its name only when it is finished. Until then it lies beside it under
/// another one, and is removed with the object.
final class OutputFile {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var isFinished = false

  /// Small pieces are gathered to this many bytes per write.
  private static let pendingLimit = 1 << 20

  init(path: String) throws(GGUFError) {
    self.path = path
    // Foundation's way to take off the last component ends the process for names of one character.
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    temporaryPath = folder + ".\(UUID().uuidString).partial"
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      isFinished = true
      throw .systemFailure(operation: "create", path: path, code: errno)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isFinished { unlink(temporaryPath) }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws {
    if pending.count + bytes.count < Self.pendingLimit {
      pending.append(contentsOf: bytes)
    } else {
      try flush()
      try output(bytes)
    }
  }

  /// Makes sure that everything is on the disk, then gives the file its name.
  func finish() throws {
    try flush()
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw GGUFError.systemFailure(operation: "finish", path: path, code: errno)
    }
    isFinished = true
  }

  private func flush() throws {
    try pending.withUnsafeBytes(output)
    pending.removeAll(keepingCapacity: true)
  }

  private func output(_ bytes: UnsafeRawBufferPointer) throws {
    guard let start = bytes.baseAddress else { return }
    var written = 0
    while written < bytes.count {
      let rest = min(bytes.count - written, FileDescriptor.transferLimit)
      let count = write(descriptor, start + written, rest)
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw GGUFError.systemFailure(operation: "write", path: path, code: errno)
      }
    }
  }
}
