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

/// Looking around on the disk.
enum Folder {
  static func entries(of folder: URL) -> [URL] {
    let entries = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    return (entries ?? []).sorted { $0.path < $1.path }
  }

  /// The size of a file, or of the file that a link leads to; nil for anything else.
  static func fileSize(_ url: URL) -> Int64? {
    var status = stat()
    guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  /// The size of a model's file, or of all of its parts; nil where one is missing.
  static func completeSize(_ model: URL) -> Int64? {
    guard let parts = FileName.parts(of: model.lastPathComponent) else { return fileSize(model) }
    var sum: Int64 = 0
    for part in parts {
      guard let size = fileSize(model.deletingLastPathComponent().appendingPathComponent(part))
      else { return nil }
      sum += size
    }
    return sum
  }

  /// Whether a file can be a language model, and not just a companion of one or its second part.
  static func isModelFile(_ url: URL) -> Bool {
    let name = url.lastPathComponent.lowercased()
    guard name.hasSuffix(".gguf"), fileSize(url) != nil else { return false }
    return Companion(name) == nil
      && (name.wholeMatch(of: /.+-[0-9]{5}-of-[0-9]{5}\.gguf/) == nil
        || FileName.parts(of: name) != nil)
  }

  /// The companions among files, for a model of this quantization.
  static func companions(of entries: [URL], quantization: String) -> Companions {
    let list = entries.filter { fileSize($0) != nil }.map {
      FileChoice.Candidate(name: $0.lastPathComponent)
    }
    var found = Companions()
    for (role, file) in FileChoice.companions(in: list, quantization: quantization) {
      let url = entries.first { $0.lastPathComponent == file.name }
      guard let url, let size = fileSize(url) else { continue }
      found.urls[role] = url
      found.byteCount += size
    }
    return found
  }

  /// Files that belong to a model.
  struct Companions {
    fileprivate(set) var urls: [ModelManifest.Role: URL] = [:]
    fileprivate(set) var byteCount: Int64 = 0

    func files(of model: URL) -> ModelFiles {
      ModelFiles(
        model: model, multimodalProjector: urls[.multimodalProjector],
        audioDecoder: urls[.audioDecoder], audioTokenizer: urls[.audioTokenizer])
    }
  }

  /// Splits `LFM2-1.2B-Q4_0.gguf`, or the name of the first of several parts, into the model and its
  /// quantization.
  static func nameAndQuantization(of file: URL) -> (name: String, quantization: String)? {
    var stem = file.deletingPathExtension().lastPathComponent
    if let match = stem.wholeMatch(of: /(.+)-00001-of-[0-9]{5}/) { stem = String(match.1) }
    let pattern = /(.+)-(I?Q[0-9][A-Za-z0-9_]*|BF16|F16|F32|MXFP4[A-Z_]*)/.ignoresCase()
    guard let match = stem.wholeMatch(of: pattern) else { return nil }
    return (String(match.1), String(match.2))
  }
}

/// A file that belongs to a model of images or sound.
enum Companion {
  /// Nil for a name that is not of this kind.
  init?(_ fileName: String) {
    let name = fileName.lowercased()
    let isGGUF = name.hasSuffix(".gguf")
    if name.hasPrefix("mmproj"), isGGUF {
      self = .multimodalProjector
    } else if name.contains("tokenizer"), isGGUF || name.hasSuffix(".safetensors") {
      self = .audioTokenizer
    } else if isGGUF || name.hasSuffix(".bin"),
      name.contains("vocoder") || name.contains("audio") && name.contains("decoder")
    {
      self = .audioDecoder
    } else {
      return nil
    }
  }

  case multimodalProjector, audioDecoder, audioTokenizer

  var role: ModelManifest.Role {
    switch self {
    case .multimodalProjector: .multimodalProjector
    case .audioDecoder: .audioDecoder
    case .audioTokenizer: .audioTokenizer
    }
  }
}
