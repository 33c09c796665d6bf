import Foundation
import Synchronization

/// Why something could not be written.
public enum OutputError: Error, Equatable, Sendable {
  /// The reader at the other end of the pipe is gone.
  case closed
  /// Any other failure, with the system's error number.
  case failed(errno: Int32)
}

extension OutputError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .closed: "The reader of the output has closed it."
    case .failed(let number): "The output could not be written: \(systemMessage(number))."
    }
  }
}

/// A buffered byte stream to a file descriptor; may be used from any thread.
public final class Output: Sendable {
  /// Standard output. Flushed when the program ends.
  public static let standard = Output(descriptor: STDOUT_FILENO)

  private let descriptor: Int32
  private let pending = Mutex<[UInt8]>([])

  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Appends to the buffer; writes it out when it is large.
  public func write(_ text: String) throws(OutputError) {
    try write(bytes: text.utf8)
  }

  /// Appends to the buffer; writes it out when it is large.
  public func write(bytes: some Sequence<UInt8>) throws(OutputError) {
    let full = pending.withLock { buffer in
      buffer += bytes
      return buffer.count >= 1 << 16
    }
    if full { try flush() }
  }

  /// Writes out what is buffered.
  public func flush() throws(OutputError) {
    let number: Int32 = pending.withLock { buffer in
      defer { buffer.removeAll(keepingCapacity: true) }
      return writeAll(buffer, to: descriptor)
    }
    if number == EPIPE { throw .closed }
    if number != 0 { throw .failed(errno: number) }
  }
}

/// Writes every byte; returns 0 or the system's error number.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var written = 0
    while written < buffer.count {
      let count = Foundation.write(
        descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return errno
      }
      written += count
    }
    return 0
  }
}

/// Writes to a closed pipe report an error instead of killing the process.
func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}

/// The system's words for an error number.
func systemMessage(_ number: Int32) -> String {
  String(cString: strerror(number)).lowercased()
}
