import Foundation

/// Finds the model that comes with the package, for commands that are given none.
public struct BundledModel: Equatable, Sendable {
  public let path: String
  /// Whether the environment named it, rather than the package.
  public let isFromEnvironment: Bool

  static let relativePath = "Fixtures/tiny-chat/gguf/tiny-chat-q4_k_m.gguf"

  /// `LEAP_MODEL` if set; else the bundled file, searched from the program's own folder upwards,
  /// then from the current folder upwards.
  public static func locate() -> BundledModel? {
    let manager = FileManager.default
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    return locate(
      environment: ProcessInfo.processInfo.environment,
      folders: [program?.path, manager.currentDirectoryPath].compactMap { $0 })
  }

  static func locate(environment: [String: String], folders: [String]) -> BundledModel? {
    if let named = environment["LEAP_MODEL"], !named.isEmpty {
      return BundledModel(path: named, isFromEnvironment: true)
    }
    for start in folders {
      var folder = URL(fileURLWithPath: start).standardizedFileURL
      while true {
        let candidate = folder.appendingPathComponent(relativePath).path
        if FileManager.default.fileExists(atPath: candidate) {
          return BundledModel(path: candidate, isFromEnvironment: false)
        }
        let parent = folder.deletingLastPathComponent()
        guard folder.path != "/", parent.path != folder.path else { break }
        folder = parent
      }
    }
    return nil
  }
}
