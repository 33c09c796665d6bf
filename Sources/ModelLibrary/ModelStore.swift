import Foundation
import Persistence
import Transfer

/// The models on this machine: those of the library's folder, and those of the hub's cache.
struct ModelStore {
  let settings: LibrarySettings

  // MARK: Where a model belongs

  /// The folder of a model by its name.
  func folder(of name: ModelName) -> ModelFolder {
    ModelFolder(
      url: settings.folder.appendingPathComponent(Self.folderName(of: name))
        .appendingPathComponent(name.quantization))
  }

  /// An owner's underscores are escaped, as one stands between it and the model.
  private static func folderName(of name: ModelName) -> String {
    let owner = name.ownerOrDefault.split(separator: "_", omittingEmptySubsequences: false)
    return "\(owner.joined(separator: "%5F"))_\(name.repository)"
  }

  /// The folder of the files of a manifest on a server. One in the form of the hub's has the folder
  /// of the model's name.
  func folder(ofManifest url: URL) -> ModelFolder {
    if let name = name(ofManifest: url) { return folder(of: name) }
    let last = url.lastPathComponent
    // Whatever is not just `NAME.json` keeps all of it, and so gets a digest.
    let file =
      last.hasSuffix(".json") && url.query == nil
      ? String(last.dropLast(5)) : "\(last)?\(url.query ?? "")"
    return ModelFolder(
      url: settings.folder
        .appendingPathComponent(Self.flattened(url.deletingLastPathComponent().absoluteString))
        .appendingPathComponent(Self.flattened(file)))
  }

  /// The hub's `OWNER/MODEL-GGUF/resolve/main/leap/QUANT.json` names the model that it is for, and
  /// so does `LiquidAI/LeapBundles/resolve/main/MODEL-GGUF/QUANT.json`. Another server's does not:
  /// it could be anything.
  func name(ofManifest url: URL) -> ModelName? {
    let hubs = [settings.endpoint, LibrarySettings.defaultEndpoint].compactMap(\.self)
    guard url.query == nil, let hub = hubs.first(where: { url.hasOrigin(of: $0) }) else {
      return nil
    }
    let path = url.path.split(separator: "/").map(String.init)
    let base = hub.path.split(separator: "/").map(String.init)
    let rest = Array(path.dropFirst(base.count))
    guard path.starts(with: base), rest.count == 6, rest[2] == "resolve", rest[3] == "main",
      rest[5].hasSuffix(".json")
    else { return nil }
    let isBundle = rest[0] == LibrarySettings.defaultOwner && rest[1] == "LeapBundles"
    let repository = isBundle ? rest[4] : rest[1]
    guard isBundle || rest[4] == "leap", repository.hasSuffix("-GGUF") else { return nil }
    return try? ModelName(parsing: "\(rest[0])/\(repository):\(rest[5].dropLast(5))")
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

  /// Where a model that is fetched goes; nil for one that is elsewhere on this machine, and for a
  /// single file.
  func folder(of source: ModelSource) -> ModelFolder? {
    switch source {
    case .name(let name): name.isValid ? folder(of: name) : nil
    case .manifest(let url):
      url.isFileURL || url.scheme == nil ? nil : folder(ofManifest: url)
    case .file: nil
    }
  }

  // MARK: What is here

  /// - Throws: `ManifestError`.
  func content(_ source: ModelSource) throws(ManifestError) -> ModelFolder.Content {
    switch source {
    case .name(let name): return try content(name)
    case .manifest(let url) where url.isFileURL || url.scheme == nil:
      return try content(ofLocalManifest: URL(fileURLWithPath: url.path))
    case .manifest(let url):
      let name = name(ofManifest: url)
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
    func variants(_ isMeant: (String) -> Bool) -> [ModelFolder] {
      Folder.entries(of: settings.folder)
        .filter { isMeant($0.lastPathComponent.lowercased()) }
        .flatMap { Folder.entries(of: $0) }
        .filter { $0.lastPathComponent.lowercased() == name.quantization.lowercased() }
        .map { ModelFolder(url: $0) }
    }
    let own = Self.folderName(of: name).lowercased()
    let first = variants { $0 == own }
    guard name.owner == nil else { return first }
    // Folders that people made may have other names; those that were fetched are another owner's.
    let others = variants {
      $0 != own && ($0 == model || $0 == repository || $0.hasSuffix("_" + repository))
    }
    return first + others.filter { ((try? $0.manifest())??.savedFiles ?? []).isEmpty }
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
    let model = name?.model ?? found?.name ?? file.deletingPathExtension().lastPathComponent
    let quantization = name?.quantization ?? found?.quantization ?? ""
    // Beside other models, only what carries the model's name belongs to it.
    let entries = Folder.entries(of: file.deletingLastPathComponent()).filter {
      found != nil && $0.lastPathComponent.lowercased().contains("-" + model.lowercased() + "-")
    }
    let companions = Folder.companions(of: entries, quantization: quantization)
    return StoredModel(
      name: model, quantization: quantization, files: companions.files(of: file), manifest: nil,
      byteCount: size + companions.byteCount, origin: origin)
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
      let companions = Folder.companions(of: entries, quantization: quantization)
      let files = companions.files(of: file)
      // Whoever fetched just one file has no use for half a model.
      let kind = ModelName(model: name, quantization: quantization).kind
      if kind != .text, files.multimodalProjector == nil { return nil }
      let manifest = snapshot.appendingPathComponent("leap/\(quantization).json")
      return StoredModel(
        name: name, quantization: quantization, files: files,
        manifest: try? ModelManifest(contentsOf: manifest),
        byteCount: size + companions.byteCount, origin: .hubCache)
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
    // A model is listed once, and so is a file that several names lead to.
    var seen: Set<String> = []
    return models.filter { model in
      let isNewName = seen.insert("\(model.name):\(model.quantization)".lowercased()).inserted
      let path = model.files.model.resolvingSymlinksInPath().path
      return seen.insert(path).inserted && isNewName
    }.sorted { ($0.name, $0.quantization) < ($1.name, $1.quantization) }
  }

  /// `LFM2-1.2B` for `LiquidAI_LFM2-1.2B-GGUF`.
  private static func modelName(ofFolder folder: String) -> String {
    var name = folder
    if name.lowercased().hasSuffix("-gguf") { name.removeLast(5) }
    return name.split(separator: "_").last.map(String.init) ?? name
  }
}
