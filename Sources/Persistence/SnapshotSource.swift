import Foundation

/// Bytes that a snapshot is read from.
protocol SnapshotSource {
  var count: Int { get }
  /// Fills the buffer from `offset` on; the caller has checked that so many bytes are there.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SnapshotError)
}

extension SnapshotSource {
  func bytes(_ range: Range<Int>) throws(SnapshotError) -> [UInt8] {
    // Else the count would be written to the one empty array that all threads share.
    if range.isEmpty { return [] }
    var failure: SnapshotError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(SnapshotError) {
        try read(
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[
              ..<range.count]), at: range.lowerBound)
        count = range.count
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}

struct SnapshotMemorySource: SnapshotSource {
  let bytes: UnsafeRawBufferPointer
  var count: Int { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + buffer.count]))
  }
}

/// An open file. It is read and never mapped: a mapped file that another process cuts short would
/// end this one.
final class SnapshotFileSource: SnapshotSource {
  let count: Int
  private let descriptor: Int32

  init(path: String) throws(SnapshotError) {
    // Opening a named pipe must not wait for its other end: it is refused below.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      count = 0
      throw .system(operation: "open", code: errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      count = 0
      throw .system(operation: "inspect", code: errno)
    }
    count = Int(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else { throw .noRegularFile }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SnapshotError) {
    guard let start = buffer.baseAddress else { return }
    var filled = 0
    while filled < buffer.count {
      // Some systems refuse more than 2 GB at a time.
      let wanted = min(buffer.count - filled, 1 << 30)
      let got = pread(descriptor, start + filled, wanted, off_t(offset + filled))
      if got > 0 {
        filled += got
      } else if got == 0 {
        throw .wrongSize(expected: offset + buffer.count, found: offset + filled)
      } else if errno != EINTR {
        throw .system(operation: "read", code: errno)
      }
    }
  }
}
