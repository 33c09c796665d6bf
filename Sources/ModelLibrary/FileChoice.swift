import Foundation
import JSON
import Persistence

/// Which files of a repository make up a model.
enum FileChoice {
  struct Candidate: Equatable {
    var name: String
    var size: Int64?
    var sha256: SHA256Digest?
  }

  /// Most files of a repository that are looked at.
  private static let mostFiles = 10_000

  /// Reads a hub's list of a repository's files; what makes no sense in it is left out.
  static func candidates(inHubList json: JSONValue) -> [Candidate]? {
    json.arrayValue.map { entries in
      entries.prefix(mostFiles).compactMap { entry in
        guard entry["type"]?.stringValue == "file", let path = entry["path"]?.stringValue,
          FileName.isSafe(path)
        else { return nil }
        let large = entry["lfs"]
        let size = large?["size"]?.intValue ?? entry["size"]?.intValue
        return Candidate(
          name: path, size: size.flatMap { $0 >= 0 ? Int64($0) : nil },
          sha256: large?["oid"]?.stringValue.flatMap { SHA256Digest(hex: $0) })
      }
    }
  }

  /// The model in a quantization, in all of its parts; nil where it is not among the files, or a part
  /// of it is missing.
  static func model(_ name: ModelName, in files: [Candidate]) -> [Candidate]? {
    func file(_ wanted: String) -> Candidate? {
      files.first { $0.name.lowercased() == wanted.lowercased() }
    }
    if let whole = file(name.fileName) { return [whole] }
    let start = "\(name.model)-\(name.quantization)-00001-of-".lowercased()
    guard let first = files.first(where: { $0.name.lowercased().hasPrefix(start) }),
      let parts = FileName.parts(of: first.name)
    else { return nil }
    let found = parts.compactMap { file($0) }
    return found.count == parts.count ? found : nil
  }

  /// The companions of a model: of the same quantization where there is one, else of one that loses
  /// little.
  static func companions(
    in files: [Candidate], quantization: String
  ) -> [(role: ModelManifest.Role, file: Candidate)] {
    let wishes = [quantization, "Q8_0", "F16", "BF16", "F32"].map { "-" + $0.lowercased() + "." }
    var byRole: [(role: ModelManifest.Role, files: [Candidate])] = []
    for file in files {
      guard let role = Companion(file.name)?.role else { continue }
      if let place = byRole.firstIndex(where: { $0.role == role }) {
        byRole[place].files.append(file)
      } else {
        byRole.append((role, [file]))
      }
    }
    return byRole.compactMap { role, files in
      let best = wishes.lazy.compactMap { wish in
        files.first { $0.name.lowercased().contains(wish) }
      }.first
      return (best ?? files.first).map { (role, $0) }
    }
  }

  /// The quantizations in which the files hold a model.
  static func quantizations(of model: String, in files: [Candidate]) -> [String] {
    var found: [String] = []
    for file in files where Companion(file.name) == nil {
      let url = URL(fileURLWithPath: "/" + file.name)
      guard let (name, quantization) = Folder.nameAndQuantization(of: url),
        name.lowercased() == model.lowercased(), !found.contains(quantization)
      else { continue }
      found.append(quantization)
    }
    return found
  }
}
