import Foundation

/// Where the golden data lies: a small subset in the repository's `Fixtures`, the full sets in
/// `../shared/fixtures` where that folder exists (in CI, for instance).
public enum Fixtures {
  /// The repository's root folder.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or folder in the repository's `Fixtures`.
  public static func bundled(_ path: String) -> URL {
    root.appendingPathComponent("Fixtures").appendingPathComponent(path)
  }

  /// A file or folder of the full sets, or nil (with a message) where they are not at hand.
  public static func shared(_ path: String) -> URL? {
    let url = root.deletingLastPathComponent()
      .appendingPathComponent("shared/fixtures").appendingPathComponent(path)
    if FileManager.default.fileExists(atPath: url.path) { return url }
    print("skipped: \(path) is not in this checkout (full fixture set absent)")
    return nil
  }

  /// Whether the full sets are at hand; for `.enabled(if:)` traits.
  public static var hasShared: Bool {
    FileManager.default.fileExists(
      atPath: root.deletingLastPathComponent().appendingPathComponent("shared/fixtures").path)
  }

  /// The full set's file where it exists, the bundled subset's otherwise.
  public static func best(_ path: String) -> URL {
    let full = root.deletingLastPathComponent()
      .appendingPathComponent("shared/fixtures").appendingPathComponent(path)
    return FileManager.default.fileExists(atPath: full.path) ? full : bundled(path)
  }

  /// A little-endian float32 file as an array.
  public static func floats(_ url: URL) throws -> [Float] {
    let data = try Data(contentsOf: url)
    return [Float](unsafeUninitializedCapacity: data.count / 4) { buffer, count in
      count = data.copyBytes(to: buffer) / 4
    }
  }
}
