import Foundation
import JSON
import Persistence

/// The folder of one model in one quantization: its manifest and its files.
struct ModelFolder {
  static let manifestName = "manifest.json"

  let url: URL

  /// What lies there.
  enum Content {
    case complete(StoredModel)
    /// How much of it is there, from 0 to 1.
    case partial(Double)
    case nothing
  }

  /// A saved manifest, under whatever name.
  ///
  /// - Throws: `ManifestError`.
  func manifest() throws(ManifestError) -> ModelManifest? {
    let own = url.appendingPathComponent(Self.manifestName)
    if FileManager.default.fileExists(atPath: own.path) {
      return try ModelManifest(contentsOf: own)
    }
    let others = Folder.entries(of: url).filter {
      $0.pathExtension.lowercased() == "json" && !$0.lastPathComponent.hasSuffix(".part.json")
    }
    guard let other = others.first else { return nil }
    return try ModelManifest(contentsOf: other)
  }

  /// Whether there is a manifest that cannot be read.
  var isDamaged: Bool {
    do {
      _ = try manifest()
      return false
    } catch { return true }
  }

  /// - Throws: `ManifestError` for a manifest that cannot be used.
  func content(name: String, quantization: String) throws(ManifestError) -> Content {
    guard let manifest = try manifest() else {
      return contentWithoutManifest(name: name, quantization: quantization)
    }
    var files: [ModelManifest.Role: URL] = [:]
    var parts: [String] = []
    for (role, text) in manifest.references {
      // Its manifest was saved with bare names, or somebody meant no good.
      guard FileName.isSafe(text) else {
        throw ManifestError(
          "The manifest in \(url.path) cannot be used: \"\(text.prefix(200))\" leads out of the "
            + "folder, where all of its files belong.")
      }
      files[role] = url.appendingPathComponent(text)
      parts += role == .model ? FileName.parts(of: text) ?? [text] : [text]
    }
    let expected = Dictionary(
      manifest.savedFiles.map { ($0.name, $0.size) }, uniquingKeysWith: { first, _ in first })
    var (here, wanted, complete): (Int64, Int64, Int) = (0, 0, 0)
    for part in parts {
      let size = Folder.fileSize(url.appendingPathComponent(part))
      let known = expected[part] ?? nil
      wanted = wanted.addingReportingOverflow(max(0, known ?? size ?? 0)).partialValue
      guard let size, known == nil || size == known else { continue }
      here += size
      complete += 1
    }
    guard complete == parts.count, let modelFiles = ModelFiles(files) else {
      guard complete > 0 else { return .nothing }
      // Sizes that nobody knows count as one file each.
      let share =
        wanted > here ? Double(here) / Double(wanted) : Double(complete) / Double(parts.count)
      return .partial(min(share, 0.9999))
    }
    return .complete(
      StoredModel(
        name: name, quantization: quantization, files: modelFiles, manifest: manifest,
        byteCount: here, origin: .library))
  }

  private func contentWithoutManifest(name: String, quantization: String) -> Content {
    let models = Folder.entries(of: url).filter { Folder.isModelFile($0) }
    // A split model, or a single file.
    let first = models.first { FileName.parts(of: $0.lastPathComponent) != nil }
    guard let model = first ?? (models.count == 1 ? models.first : nil),
      let size = Folder.completeSize(model)
    else { return .nothing }
    let companions = Folder.companions(
      of: Folder.entries(of: url), quantization: quantization)
    return .complete(
      StoredModel(
        name: name, quantization: quantization, files: companions.files(of: model),
        manifest: nil, byteCount: size + companions.byteCount, origin: .file))
  }

  /// Writes the manifest, unless it is there already.
  func save(_ manifest: JSONValue) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let path = url.appendingPathComponent(Self.manifestName).path
    let bytes = Array(manifest.text().utf8)
    if let present = FileManager.default.contents(atPath: path), present.elementsEqual(bytes) {
      return
    }
    try bytes.withUnsafeBytes { try AtomicFile.write([$0], to: path) }
    // The folder may be shared with other users.
    chmod(path, 0o644)
  }
}
