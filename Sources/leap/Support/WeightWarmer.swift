import CommandLineSupport
import Foundation
import Generation

/// Brings a mapped model from the disk into the system's cache, so that the wait happens under a
/// progress bar and not in the middle of the first answer. Takes no memory of this process.
enum WeightWarmer {
  private static let pieceBytes = 16 << 20

  static func warm(_ model: LoadedModel) throws {
    let size = model.file.byteCount
    // A file that does not fit would only push itself out again; a locked one is there already.
    guard model.options.mapsFile, !model.options.locksMemory,
      UInt64(size) < ProcessInfo.processInfo.physicalMemory / 2
    else { return }
    var progress = ProgressBar("loading")
    defer { progress.finish() }
    var done = 0
    func advance(_ count: Int) throws {
      done += count
      try Interrupt.check()
      progress.update(Double(done) / Double(max(1, size)), note: Quantity.bytes(size))
    }
    while done < size {
      let count = min(pieceBytes, size - done)
      guard populate(model, done..<done + count) else { break }
      try advance(count)
    }
    if done < size { try read(model.path, from: done, advance) }
  }

  /// Maps the pages, which reads those that are on the disk and takes next to no time for the
  /// others. False where the system cannot.
  private static func populate(_ model: LoadedModel, _ range: Range<Int>) -> Bool {
    #if os(Linux)
      let populateRead: Int32 = 22  // MADV_POPULATE_READ, since Linux 5.14
      return model.file.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return false }
        let piece = UnsafeMutableRawPointer(mutating: start + range.lowerBound)
        return madvise(piece, range.count, populateRead) == 0
      }
    #else
      return false
    #endif
  }

  private static func read(
    _ path: String, from start: Int, _ advance: (Int) throws -> Void
  ) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard lseek(descriptor, off_t(start), SEEK_SET) == off_t(start) else { return }
    var piece = [UInt8](repeating: 0, count: pieceBytes)
    while true {
      let count = Foundation.read(descriptor, &piece, piece.count)
      // Whatever is wrong here shows again, and is reported, where the weights are used.
      guard count > 0 else { return }
      try advance(count)
    }
  }
}
