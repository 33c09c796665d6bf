import CommandLineSupport
import Foundation
import Generation

/// Brings a mapped model from the disk into the system's cache, so that the wait happens under a
/// progress bar and not in the middle of the first answer. Takes no memory of this process.
enum WeightWarmer {
  private static let pieceBytes = 1 << 20

  static func warm(_ model: LoadedModel) throws {
    let size = model.file.byteCount
    // A file that does not fit would only push itself out again.
    guard model.options.mapsFile, !model.options.locksMemory,
      UInt64(size) < ProcessInfo.processInfo.physicalMemory / 2
    else { return }
    let descriptor = open(model.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var progress = ProgressBar("loading")
    defer { progress.finish() }
    var piece = [UInt8](repeating: 0, count: pieceBytes)
    var done = 0
    while true {
      let count = read(descriptor, &piece, piece.count)
      // Whatever is wrong here shows again, and is reported, where the weights are used.
      guard count > 0 else { return }
      done += count
      try Interrupt.check()
      progress.update(Double(done) / Double(max(1, size)), note: Quantity.bytes(size))
    }
  }
}
