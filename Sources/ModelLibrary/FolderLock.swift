import Foundation

/// Tells other processes that somebody works in a folder. It goes when its owner does, however that
/// ends; any number may hold one.
struct FolderLock {
  private let descriptor: Int32

  /// Waits for those who look whether somebody does, which takes no time.
  init(_ folder: URL) {
    descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { flock(descriptor, LOCK_SH) }
  }

  func release() {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether somebody has locked a file, or works in a folder.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }
}
