import Foundation
import JSON
import Persistence

/// What is known of a file that belongs to a model, kept in the saved manifest.
struct SavedFile: Sendable, Equatable {
  /// The member of a saved manifest that holds them.
  static let member = "leap_swift_files"
  static let mostFiles = 64

  var name: String
  var url: String
  var size: Int64?
  var sha256: SHA256Digest?

  static func read(_ manifest: JSONObject) throws(ManifestError) -> [SavedFile] {
    guard let list = manifest[member]?.arrayValue else { return [] }
    var files: [SavedFile] = []
    for entry in list.prefix(mostFiles) {
      guard let object = entry.objectValue else { continue }
      let reader = ManifestReader(object, name: member)
      let name = try reader.required("name")
      guard FileName.isSafe(name) else { throw ManifestError("\"\(name)\" is no file's name.") }
      files.append(
        SavedFile(
          name: name, url: try reader.string("url") ?? "",
          size: try reader.int("size").map { Int64($0) },
          sha256: try reader.string("sha256").flatMap { SHA256Digest(hex: $0) }))
    }
    return files
  }

  var json: JSONValue {
    var object: JSONObject = ["name": .string(name), "url": .string(url)]
    object["size"] = size.map { .int(Int($0)) }
    object["sha256"] = sha256.map { .string($0.description) }
    return .object(object)
  }
}

/// The rules for names that come from elsewhere.
enum FileName {
  static let longest = 200

  /// Whether a name can be given to a file in a model's folder: one component, visible, printable,
  /// and not one that this library uses itself.
  static func isSafe(_ name: String) -> Bool {
    let lower = name.lowercased()
    return (1...longest).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.unicodeScalars.allSatisfy {
        $0 != "/" && $0 != "\\" && $0 != ":" && $0.properties.generalCategory != .control
          && $0.properties.generalCategory != .format
      }
      && !lower.hasSuffix(".part") && !lower.hasSuffix(".part.json") && !lower.hasSuffix(".new")
      && lower != ModelFolder.manifestName
  }

  /// `NAME-00002-of-00003.gguf` for the second of three parts, given the first one's name; nil for a
  /// name that is not of this kind.
  static func parts(of name: String) -> [String]? {
    let pattern = /(.+)-00001-of-([0-9]{5})\.gguf/.ignoresCase()
    guard let match = name.wholeMatch(of: pattern), let count = Int(match.2),
      (2...50).contains(count)
    else { return nil }
    return (1...count).map { number in
      let digits = String(number)
      let padded = String(repeating: "0", count: 5 - digits.count) + digits
      return "\(match.1)-\(padded)-of-\(match.2).gguf"
    }
  }
}
