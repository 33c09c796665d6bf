import Foundation

/// Reads whole files of a bounded size; the name `-` is standard input.
public enum InputFile {
  /// The file's bytes; throws where there are more than `limit`.
  public static func bytes(_ path: String, limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, path: path) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR, !Interrupt.isPending { continue }
        throw FileError(errno: errno, path: path)
      }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(path: path, limit: limit) }
      bytes += chunk[..<count]
    }
  }

  /// The file's text, which must be UTF-8.
  public static func text(_ path: String, limit: Int = 64 << 20) throws(FileError) -> String {
    let bytes = try bytes(path, limit: limit)
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw .notText(path: path, offset: firstInvalidByte(bytes))
  }

  private static func firstInvalidByte(_ bytes: [UInt8]) -> Int {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }
}
