import Foundation

/// Reads lines from a file descriptor, noticing Ctrl-C while it waits.
public struct LineReader {
  public enum Event: Equatable, Sendable {
    /// A line without its end; bytes that are not UTF-8 become U+FFFD.
    case line(String)
    /// Ctrl-C was pressed while waiting.
    case interrupted
    case end
  }

  /// Longer lines are cut into several, so that no input makes the buffer grow without end.
  static let longestLine = 1 << 22

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var atEnd = false

  public init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  public mutating func next() -> Event {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeSubrange(...end) }
        return .line(Self.text(buffer[..<end]))
      }
      if atEnd || buffer.count >= Self.longestLine {
        guard !buffer.isEmpty else { return .end }
        defer { buffer.removeAll() }
        return .line(Self.text(buffer[...]))
      }
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        buffer += chunk[..<count]
      } else if count < 0, errno == EINTR {
        if Interrupt.isPending { return .interrupted }
      } else {
        atEnd = true
      }
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
  }
}
