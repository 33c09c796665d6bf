import Foundation
import Persistence

/// The bytes of a file that has not arrived completely: `<name>.part` beside the place the file will
/// have. It is locked while somebody works on it; the lock goes when its owner does, however that
/// ends.
// Unchecked: used by one at a time. A fetch lends it to an exchange and goes on with it only when the
// exchange has ended, which waits for a call in progress.
final class PartFile: @unchecked Sendable {
  let path: String
  let destination: String
  private let descriptor: Int32
  /// Bytes that are on the disk.
  private(set) var byteCount: Int64 = 0
  private var hash = SHA256()
  /// Bytes that the hash covers.
  private var hashedBytes: Int64 = 0

  static func path(for destination: String) -> String { destination + ".part" }
  static func validatorsPath(for destination: String) -> String { destination + ".part.json" }

  /// Opens or makes the file and locks it; nil while somebody else works on it.
  ///
  /// - Throws: `TransferError.file`.
  init?(for destination: String) throws {
    path = Self.path(for: destination)
    self.destination = destination
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(path, flags, 0o644)
    guard descriptor >= 0 else {
      throw TransferError.file(operation: "opened", path: path, errno: errno)
    }
    self.descriptor = descriptor
    // The name may lead to another file by now: its last owner gave this one its final name.
    var held = stat()
    var named = stat()
    // Some file systems know no locks; then there is none.
    let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    guard !isTaken, fstat(descriptor, &held) == 0, lstat(path, &named) == 0,
      held.st_ino == named.st_ino, held.st_dev == named.st_dev
    else { return nil }
    guard held.st_mode & S_IFMT == S_IFREG else {
      throw TransferError.file(operation: "opened", path: path, errno: EEXIST)
    }
    byteCount = Int64(held.st_size)
  }

  deinit { close(descriptor) }

  /// Bytes of a part file that somebody else may be working on.
  static func byteCount(for destination: String) -> Int64 {
    var status = stat()
    return stat(path(for: destination), &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Reads what is there into the hash, so that the digest covers it.
  func readBack() async throws {
    // Bytes that were written through this object were hashed on their way.
    guard hashedBytes != byteCount else { return }
    hash = SHA256()
    hashedBytes = 0
    try seek(to: 0)
    try await FileDigest.read(descriptor, path, byteCount, into: &hash)
    try seek(to: byteCount)
    hashedBytes = byteCount
  }

  /// Forgets what is there.
  func clear() throws {
    hash = SHA256()
    hashedBytes = 0
    byteCount = 0
    guard ftruncate(descriptor, 0) == 0 else {
      throw TransferError.file(operation: "cleared", path: path, errno: errno)
    }
    try seek(to: 0)
  }

  func append(_ data: Data) throws {
    try data.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var written = 0
      while written < bytes.count {
        let count = write(descriptor, start + written, bytes.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw problem(errno, missing: bytes.count - written) }
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[written..<written + count]))
        written += count
        byteCount += Int64(count)
        hashedBytes += Int64(count)
      }
    }
  }

  /// The digest of all bytes.
  var digest: SHA256Digest { hash.finalized() }

  /// Gives the file its final name, once it is safely on the disk.
  func finish() throws {
    guard fsync(descriptor) == 0 else { throw problem(errno, missing: 0) }
    guard rename(path, destination) == 0 else {
      throw TransferError.file(operation: "named", path: destination, errno: errno)
    }
    unlink(Self.validatorsPath(for: destination))
    AtomicFile.syncFolder(of: destination)
  }

  /// Removes the file and what is known of it.
  func remove() {
    unlink(Self.validatorsPath(for: destination))
    unlink(path)
  }

  /// Throws where the disk has too little room for so many more bytes.
  func checkSpace(for needed: Int64) throws {
    guard let free = DiskSpace.available(at: FilePath.folder(of: path)), free < needed else {
      return
    }
    throw TransferError.insufficientSpace(needed: needed, available: free, path: destination)
  }

  private func problem(_ code: Int32, missing: Int) -> TransferError {
    // Full, over the quota, or over the size that this process may write.
    guard [ENOSPC, EDQUOT, EFBIG].contains(code) else {
      return .file(operation: "written", path: path, errno: code)
    }
    // What the disk has free is not ours where a limit of the user or the process was reached.
    let free = code == ENOSPC ? DiskSpace.available(at: FilePath.folder(of: path)) ?? 0 : 0
    return .insufficientSpace(needed: Int64(missing), available: free, path: destination)
  }

  private func seek(to offset: Int64) throws {
    guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
      throw TransferError.file(operation: "read", path: path, errno: errno)
    }
  }
}

/// Room on the disk.
public enum DiskSpace {
  /// Bytes that this process may still write in a folder, which need not exist yet; nil where the
  /// system does not tell.
  public static func available(at folder: String) -> Int64? {
    var path = folder.isEmpty ? "." : folder
    var status = statvfs()
    while statvfs(path, &status) != 0 {
      guard errno == ENOENT, path != "/", path != "." else { return nil }
      let parent = FilePath.folder(of: path)
      path = parent.isEmpty ? "." : parent
    }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }
}
