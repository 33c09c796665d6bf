import Foundation
import Persistence

/// The models on this machine: those of the library's folder, and those of the hub's cache.
struct ModelStore {
  let settings: LibrarySettings

  // MARK: Where a model belongs

  /// The folder of a model by its name.
  func folder(of name: ModelName) -> ModelFolder {
    ModelFolder(
      url: settings.folder.appendingPathComponent("\(name.ownerOrDefault)_\(name.repository)")
        .appendingPathComponent(name.quantization))
  }

  /// The folder of the files of a manifest on a server. One in the form of the hub's has the folder
  /// of the model's name.
  func folder(ofManifest url: URL) -> ModelFolder {
    if let name = Self.name(ofManifest: url) { return folder(of: name) }
    let file = url.deletingPathExtension().lastPathComponent
    return ModelFolder(
      url: settings.folder
        .appendingPathComponent(Self.flattened(url.deletingLastPathComponent().absoluteString))
        .appendingPathComponent(Self.flattened(file)))
  }

  /// `.../OWNER/MODEL-GGUF/resolve/main/leap/QUANT.json` names the model that it is for.
  static func name(ofManifest url: URL) -> ModelName? {
    let path = url.path.split(separator: "/").map(String.init)
    guard path.count >= 6, path[path.count - 4] == "resolve", path[path.count - 3] == "main",
      path[path.count - 2] == "leap", path[path.count - 1].hasSuffix(".json")
    else { return nil }
    let (owner, repository) = (path[path.count - 6], path[path.count - 5])
    return try? ModelName(parsing: "\(owner)/\(repository):\(path[path.count - 1].dropLast(5))")
  }

  /// An address as a folder's name. Different addresses have different ones: where anything but
  /// letters, digits, dots and dashes was replaced, or the end was cut off, a digest stands behind.
  static func flattened(_ text: String) -> String {
    let allowed = text.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
        byte
      default: UInt8(ascii: "_")
      }
    }
    var name = String(decoding: allowed.prefix(160), as: UTF8.self)
    while name.hasPrefix(".") { name.removeFirst() }
    if name == text { return name }
    let digest = SHA256.digest(Array(text.utf8)).description.prefix(12)
    return "\(digest)_\(name)"
  }

  // MARK: What is here

  /// - Throws: `ManifestError`.
  func content(_ source: ModelSource) throws(ManifestError) -> ModelFolder.Content {
    switch source {
    case .name(let name): return try content(name)
    case .manifest(let url) where url.isFileURL || url.scheme == nil:
      return try content(ofLocalManifest: URL(fileURLWithPath: url.path))
    case .manifest(let url):
      let name = Self.name(ofManifest: url)
      return try folder(ofManifest: url).content(
        name: name?.model ?? url.deletingPathExtension().lastPathComponent,
        quantization: name?.quantization ?? "")
    case .file(_, let localName):
      guard FileName.isSafe(localName) else { return .nothing }
      let file = settings.folder.appendingPathComponent(localName)
      guard let size = Folder.fileSize(file) else { return .nothing }
      return .complete(Self.model(file, size: size, origin: .library))
    }
  }

  /// Names are compared with what lies in the folder, whatever their case.
  private func content(_ name: ModelName) throws(ManifestError) -> ModelFolder.Content {
    var partial = ModelFolder.Content.nothing
    for folder in folders(of: name) {
      switch try folder.content(name: name.model, quantization: name.quantization) {
      case .complete(let model): return .complete(model)
      case .partial(let share): partial = .partial(share)
      case .nothing: break
      }
    }
    if name.owner == nil || name.owner == LibrarySettings.defaultOwner {
      for file in Folder.entries(of: settings.folder) where Self.isFile(file, of: name) {
        if let size = Folder.completeSize(file) {
          return .complete(Self.model(file, size: size, origin: .file, name: name))
        }
      }
    }
    if let model = hubModel(name) { return .complete(model) }
    return partial
  }

  /// Every folder that may hold a model in the quantization.
  func folders(of name: ModelName) -> [ModelFolder] {
    let repository = name.repository.lowercased()
    let model = name.model.lowercased()
    return Folder.entries(of: settings.folder).filter { entry in
      let folder = entry.lastPathComponent.lowercased()
      if let owner = name.owner { return folder == "\(owner.lowercased())_\(repository)" }
      return folder == model || folder == repository || folder.hasSuffix("_" + repository)
    }.flatMap { Folder.entries(of: $0) }.filter {
      $0.lastPathComponent.lowercased() == name.quantization.lowercased()
    }.map { ModelFolder(url: $0) }
  }

  /// Whether a file is a model's, or its first part.
  private static func isFile(_ file: URL, of name: ModelName) -> Bool {
    guard Folder.isModelFile(file), let found = Folder.nameAndQuantization(of: file) else {
      return file.lastPathComponent.lowercased() == name.fileName.lowercased()
        && Folder.fileSize(file) != nil
    }
    return found.name.lowercased() == name.model.lowercased()
      && found.quantization.lowercased() == name.quantization.lowercased()
  }

  private func content(ofLocalManifest url: URL) throws(ManifestError) -> ModelFolder.Content {
    let manifest = try ModelManifest(contentsOf: url)
    var files: [ModelManifest.Role: URL] = [:]
    var byteCount: Int64 = 0
    for (role, place) in try manifest.places(base: url) {
      switch place {
      case .local(let file):
        files[role] = file
        guard let size = role == .model ? Folder.completeSize(file) : Folder.fileSize(file) else {
          throw ManifestError(
            "There is no file \(file.path), which the manifest \(url.path) names as its "
              + "\"\(role.rawValue)\".")
        }
        byteCount += size
      case .remote(_, let name):
        let file = folder(ofManifest: url).url.appendingPathComponent(name)
        guard let size = Folder.fileSize(file) else { return .nothing }
        files[role] = file
        byteCount += size
      }
    }
    guard let modelFiles = ModelFiles(files) else { return .nothing }
    return .complete(
      StoredModel(
        name: modelFiles.model.deletingPathExtension().lastPathComponent, quantization: "",
        files: modelFiles, manifest: manifest, byteCount: byteCount, origin: .manifest))
  }

  private static func model(
    _ file: URL, size: Int64, origin: StoredModel.Origin, name: ModelName? = nil
  ) -> StoredModel {
    let found = Folder.nameAndQuantization(of: file)
    return StoredModel(
      name: name?.model ?? found?.name ?? file.deletingPathExtension().lastPathComponent,
      quantization: name?.quantization ?? found?.quantization ?? "",
      files: ModelFiles(model: file), manifest: nil, byteCount: size, origin: origin)
  }

  // MARK: The hub's own cache

  private func snapshot(ofHubFolder folder: URL) -> URL? {
    let main = folder.appendingPathComponent("refs/main")
    guard let size = Folder.fileSize(main), size < 200,
      let revision = try? String(contentsOf: main, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines),
      FileName.isSafe(revision)
    else { return nil }
    return folder.appendingPathComponent("snapshots").appendingPathComponent(revision)
  }

  /// - Parameter owner: of the repository; nil for any.
  private func hubFolders(
    owner: String?, repository: String?
  ) -> [(owner: String, repository: String, snapshot: URL)] {
    guard let cache = settings.hubCache else { return [] }
    return Folder.entries(of: cache).compactMap { folder in
      let parts = folder.lastPathComponent.components(separatedBy: "--")
      guard parts.count == 3, parts[0] == "models",
        owner == nil || parts[1].lowercased() == owner?.lowercased(),
        repository == nil || parts[2].lowercased() == repository?.lowercased(),
        let snapshot = snapshot(ofHubFolder: folder)
      else { return nil }
      return (parts[1], parts[2], snapshot)
    }
  }

  private func hubModel(_ name: ModelName) -> StoredModel? {
    let folders = hubFolders(owner: name.ownerOrDefault, repository: name.repository)
    for (_, _, snapshot) in folders {
      let models = Self.models(inSnapshot: snapshot)
      if let model = models.first(where: {
        $0.name.lowercased() == name.model.lowercased()
          && $0.quantization.lowercased() == name.quantization.lowercased()
      }) {
        return model
      }
    }
    return nil
  }

  private static func models(inSnapshot snapshot: URL) -> [StoredModel] {
    let entries = Folder.entries(of: snapshot)
    return entries.filter { Folder.isModelFile($0) }.compactMap { file in
      guard let (name, quantization) = Folder.nameAndQuantization(of: file),
        let size = Folder.completeSize(file)
      else { return nil }
      let list = entries.map { FileChoice.Candidate(name: $0.lastPathComponent) }
      let companions = FileChoice.companions(in: list, quantization: quantization)
      var files: [ModelManifest.Role: URL] = [.model: file]
      var byteCount = size
      for (role, companion) in companions {
        let url = snapshot.appendingPathComponent(companion.name)
        files[role] = url
        byteCount += Folder.fileSize(url) ?? 0
      }
      return ModelFiles(files).map {
        StoredModel(
          name: name, quantization: quantization, files: $0, manifest: nil, byteCount: byteCount,
          origin: .hubCache)
      }
    }
  }

  // MARK: All of them

  func list() -> [StoredModel] {
    var models: [StoredModel] = []
    for entry in Folder.entries(of: settings.folder) {
      if Folder.isModelFile(entry) {
        if let size = Folder.completeSize(entry) {
          models.append(Self.model(entry, size: size, origin: .file))
        }
        continue
      }
      let name = Self.modelName(ofFolder: entry.lastPathComponent)
      for variant in Folder.entries(of: entry) {
        let content = try? ModelFolder(url: variant).content(
          name: name, quantization: variant.lastPathComponent)
        if case .complete(let model)? = content { models.append(model) }
      }
    }
    for (_, _, snapshot) in hubFolders(owner: nil, repository: nil) {
      models += Self.models(inSnapshot: snapshot)
    }
    return models.sorted { ($0.name, $0.quantization) < ($1.name, $1.quantization) }
  }

  /// `LFM2-1.2B` for `LiquidAI_LFM2-1.2B-GGUF`.
  private static func modelName(ofFolder folder: String) -> String {
    var name = folder
    if name.lowercased().hasSuffix("-gguf") { name.removeLast(5) }
    return name.split(separator: "_").last.map(String.init) ?? name
  }
}
