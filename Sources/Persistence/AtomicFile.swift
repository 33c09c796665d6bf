import Foundation

/// Files that appear under their name only when they are complete and on the disk.
///
/// Until then the bytes lie beside it in a temporary file, which is locked while its writer lives:
/// so what a killed process left behind can be told from what another one is writing.
public enum AtomicFile {
  private static let prefix = ".leap-"
  private static let suffix = ".partial"

  /// Writes the parts, one after another. The file is then new or as before, nothing between.
  public static func write(
    _ parts: [UnsafeRawBufferPointer], to path: String
  ) throws(SnapshotError) {
    let (descriptor, temporary) = try create(beside: path)
    defer { close(descriptor) }
    do {
      for part in parts { try output(part, to: descriptor) }
      guard fsync(descriptor) == 0 else {
        throw SnapshotError.system(operation: "write", code: errno)
      }
      guard rename(temporary, path) == 0 else {
        throw SnapshotError.system(operation: "name", code: errno)
      }
    } catch {
      unlink(temporary)
      throw error as? SnapshotError ?? .system(operation: "write", code: EIO)
    }
    syncFolder(of: path)
  }

  /// Removes the temporary files that killed processes left in a folder, and nothing else. An empty
  /// path is the current folder.
  public static func removeLeftovers(in folder: String) {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    for name in names ?? []
    where isTemporary(name) {
      let path = FilePath.file(name, in: folder)
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      unlink(path)
    }
  }

  /// `.leap-`, 32 hexadecimal digits, `.partial`.
  static func isTemporary(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let digits = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return digits.count == 32
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func create(
    beside path: String
  ) throws(SnapshotError) -> (descriptor: Int32, path: String) {
    let folder = FilePath.folder(of: path)
    // Whoever cleans up may take the file between its creation and its locking.
    for _ in 0..<8 {
      var random = SystemRandomNumberGenerator()
      let name =
        prefix + ContentHash.digits(random.next()) + ContentHash.digits(random.next()) + suffix
      let temporary = FilePath.file(name, in: folder)
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .system(operation: "create", code: errno) }
      var status = stat()
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0,
        status.st_nlink > 0
      {
        return (descriptor, temporary)
      }
      close(descriptor)
      unlink(temporary)
    }
    throw .system(operation: "lock", code: EWOULDBLOCK)
  }

  private static func output(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) throws(SnapshotError) {
    guard let start = bytes.baseAddress else { return }
    var written = 0
    while written < bytes.count {
      let count = Foundation.write(descriptor, start + written, min(bytes.count - written, 1 << 30))
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw .system(operation: "write", code: errno)
      }
    }
  }

  /// Makes the name as durable as the content; a system that cannot is none the worse.
  public static func syncFolder(of path: String) {
    let folder = FilePath.folder(of: path)
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
