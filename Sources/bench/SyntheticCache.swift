import CommandLineSupport
import Foundation
import GGUF
import Synthetic

/// Keeps synthetic files between runs, in the user's cache folder.
enum SyntheticCache {
  /// Counts up when the content of the files changes.
  private static let version = 1

  /// The path of the file, made on first use.
  static func path(of file: SyntheticFile) throws -> String {
    let folder = folder(environment: ProcessInfo.processInfo.environment)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/\(file.name)-v\(version).gguf"
    // The writer gives a file its name only when it is whole.
    if !FileManager.default.fileExists(atPath: path) {
      let size = Quantity.bytes(file.byteCount)
      Console.note("making \(path) (\(size), random weights)")
      try write(file, to: path)
    }
    return path
  }

  static func write(_ file: SyntheticFile, to path: String) throws {
    var progress = ProgressBar("making \(file.name)")
    defer { progress.finish() }
    try file.write(to: path) { fraction in
      try Interrupt.check()
      progress.update(fraction)
    }
  }

  static func folder(environment: [String: String]) -> String {
    let base: String
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
      base = cache
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      base = home + "/.cache"
    } else {
      base = FileManager.default.temporaryDirectory.path
    }
    return base + "/leap-swift/synthetic"
  }
}
