import Foundation
import JSON
import Persistence

/// What has to be fetched for a model, and where it goes.
struct FetchPlan {
  struct File: Equatable {
    var name: String
    var url: URL
    var size: Int64?
    var sha256: SHA256Digest?
  }

  var folder: URL
  var files: [File]
  /// The manifest of the files; nil for a single one.
  private let document: Document?

  /// For what a manifest names on servers; its local files stay where they are.
  ///
  /// - Parameter address: where the manifest came from.
  init(
    _ manifest: ModelManifest, _ places: [(role: ModelManifest.Role, place: ModelManifest.Place)],
    address: String, folder: URL
  ) {
    self.folder = folder
    files = []
    for case (let role, .remote(let url, let name)) in places {
      let parts = role == .model ? FileName.parts(of: name) : nil
      for part in parts ?? [name] {
        let place =
          parts == nil ? url : url.deletingLastPathComponent().appendingPathComponent(part)
        files.append(File(name: part, url: place))
      }
    }
    var names: [ModelManifest.Role: String] = [:]
    for case (let role, .remote(_, let name)) in places { names[role] = name }
    document = Document(manifest: manifest, names: names, address: address)
  }

  /// For files without a manifest.
  init(
    model: [File], companions: [(role: ModelManifest.Role, file: File)], address: String,
    folder: URL
  ) {
    self.folder = folder
    files = model + companions.map(\.file)
    var urls: [ModelManifest.Role: URL] = [:]
    var names: [ModelManifest.Role: String] = [:]
    let all = model.prefix(1).map { (ModelManifest.Role.model, $0) } + companions
    for (role, file) in all {
      urls[role] = folder.appendingPathComponent(file.name)
      names[role] = file.name
    }
    document = ModelFiles(urls).map {
      Document(manifest: ModelManifest(describing: $0), names: names, address: address)
    }
  }

  /// For a single file.
  init(file: File, folder: URL) {
    self.folder = folder
    files = [file]
    document = nil
  }

  private struct Document {
    var manifest: ModelManifest
    var names: [ModelManifest.Role: String]
    var address: String
  }

  /// The manifest to be saved beside the files, with what is known of them by now.
  var savedManifest: JSONValue? {
    document.map { document in
      document.manifest.saved(
        names: document.names, originalURL: document.address,
        files: files.map {
          SavedFile(name: $0.name, url: $0.url.absoluteString, size: $0.size, sha256: $0.sha256)
        })
    }
  }

  func destination(of file: File) -> URL { folder.appendingPathComponent(file.name) }

  /// Bytes of all files; nil where a size is not known.
  var byteCount: Int64? {
    var sum: Int64 = 0
    for file in files {
      guard let size = file.size else { return nil }
      let (total, overflow) = sum.addingReportingOverflow(size)
      guard !overflow else { return nil }
      sum = total
    }
    return sum
  }
}
