import Foundation

@testable import Persistence

/// A snapshot of an attention and a convolution layer in a few hundred bytes, and what it must fit.
enum SmallSnapshot {
  static let shape = SnapshotShape(
    keyValueHeads: [0, 2, 0], headDimension: 4, elementBytes: 2, convolutionCount: 3)
  static let identity = ContentHash(high: 7, low: 9)
  static let requirements = SnapshotRequirements(identity: identity, shape: shape, capacity: 8)

  static func make(
    tokens: [Int32] = [5, 6, 7], attachment: String = "{\"a\": 1}", isComplete: Bool = true
  ) throws -> Snapshot {
    try Snapshot(
      shape: shape, identity: identity, tokens: tokens, isComplete: isComplete,
      attachment: Array(attachment.utf8)
    ) { parts in
      var next: UInt8 = 1
      for layer in 0..<3 {
        for part in [parts.keys(layer), parts.values(layer), parts.state(layer)] {
          for index in part.indices {
            part[index] = next
            next &+= 37
          }
        }
      }
    }
  }

  static func read(
    _ bytes: [UInt8], for requirements: SnapshotRequirements? = requirements
  ) throws(SnapshotError) -> Snapshot {
    let result: Result<Snapshot, SnapshotError> = bytes.withUnsafeBytes { bytes in
      Result { () throws(SnapshotError) in try Snapshot(fileBytes: bytes, for: requirements) }
    }
    return try result.get()
  }

  /// All states, one after another.
  static func states(_ snapshot: Snapshot) -> [UInt8] {
    (0..<snapshot.shape.keyValueHeads.count).flatMap {
      Array(snapshot.keys($0)) + Array(snapshot.values($0)) + Array(snapshot.state($0))
    }
  }
}

/// A new folder, removed with the object.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("leap-persistence-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
