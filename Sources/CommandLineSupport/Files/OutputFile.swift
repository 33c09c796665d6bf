import Foundation

/// Writes files so that nobody ever sees half of one under its final name.
public enum OutputFile {
  /// Replaces the file by these bytes.
  public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try stream(to: path) { try $0.write(bytes: bytes) }
  }

  /// Replaces the file by what `body` writes; leaves it as it was where `body` throws.
  public static func stream(to path: String, _ body: (Output) throws -> Void) throws {
    try replace(path) { temporary in
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw FileError(errno: errno, path: path) }
      defer { close(descriptor) }
      let output = Output(descriptor: descriptor)
      do {
        try body(output)
        try output.flush()
      } catch OutputError.failed(let number) {
        throw FileError(errno: number, path: path)
      }
    }
  }

  /// Lets `body` write a file beside `path`, then renames it to `path`; removes it where `body`
  /// throws. A device or pipe is handed to `body` as it is.
  public static func replace(_ path: String, _ body: (_ temporary: String) throws -> Void) throws {
    var facts = stat()
    if stat(path, &facts) == 0 {
      let kind = facts.st_mode & S_IFMT
      if kind == S_IFDIR { throw FileError.isFolder(path: path) }
      if kind != S_IFREG { return try body(path) }
    }
    let temporary = "\(path).\(getpid()).partial"
    do {
      try body(temporary)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let number = errno
      unlink(temporary)
      throw FileError(errno: number, path: path)
    }
  }
}
