import Foundation
import Persistence

/// The digests of files.
public enum FileDigest {
  /// Reads a whole file.
  ///
  /// - Throws: `TransferError.file` or `CancellationError`.
  @concurrent
  public static func sha256(ofFileAt path: String) async throws -> SHA256Digest {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw TransferError.file(operation: "read", path: path, errno: errno)
    }
    defer { close(descriptor) }
    var hash = SHA256()
    try await read(descriptor, path, .max, into: &hash)
    return hash.finalized()
  }

  /// Reads so many bytes, or up to the end of the file.
  static func read(
    _ descriptor: Int32, _ path: String, _ byteCount: Int64, into hash: inout SHA256
  ) async throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var rest = byteCount
    while rest > 0 {
      try Task.checkCancellation()
      let count = Foundation.read(descriptor, &buffer, min(buffer.count, Int(clamping: rest)))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw TransferError.file(operation: "read", path: path, errno: errno)
      }
      if count == 0 { return }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      rest -= Int64(count)
      // Hashing takes seconds for large files; others want to run too.
      await Task.yield()
    }
  }
}
