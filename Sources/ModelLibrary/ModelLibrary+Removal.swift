import Foundation

/// Something that an interrupted download left.
public struct Leftover: Sendable, Equatable {
  public var path: String
  public var byteCount: Int64
}

extension ModelLibrary {
  /// Removes a model's files, half-fetched ones too. One that is not here is no error.
  ///
  /// - Throws: `ModelDownloadError.downloadFileIOError`.
  public func remove(_ source: ModelSource) throws {
    stop(source)
    switch source {
    case .name(let name):
      let folders = store.folders(of: name)
      for folder in folders { try remove(variant: folder.url) }
      let rest = try? find(source)
      guard let rest else { return }
      guard rest.origin == .file else {
        // What was this library's own is gone.
        guard folders.isEmpty else { return }
        throw ModelDownloadError.downloadFileIOError(
          "\(rest.files.model.path) belongs to the cache of the hub's own tools; remove it with "
            + "these.", CocoaError(.fileWriteNoPermission))
      }
      let file = rest.files.model
      let parts = FileName.parts(of: file.lastPathComponent) ?? [file.lastPathComponent]
      for part in parts {
        try remove(file.deletingLastPathComponent().appendingPathComponent(part))
      }
    case .manifest(let url):
      let folder = store.folder(ofManifest: url).url
      if FileManager.default.fileExists(atPath: folder.path) { try remove(variant: folder) }
    case .file(_, let localName):
      guard FileName.isSafe(localName) else { return }
      for ending in ["", ".part", ".part.json", ".new", ".new.part", ".new.part.json"] {
        try remove(settings.folder.appendingPathComponent(localName + ending))
      }
    }
  }

  /// Removes the folder of a quantization, and the model's if that was the last one.
  private func remove(variant: URL) throws {
    try remove(variant)
    // Fails, as it should, where something else is left in it.
    rmdir(variant.deletingLastPathComponent().path)
  }

  private func remove(_ url: URL) throws {
    var status = stat()
    guard lstat(url.path, &status) == 0 else { return }
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      throw ModelDownloadError.downloadFileIOError(
        "\(url.path) cannot be removed: \(error.localizedDescription) Check its permissions.", error
      )
    }
  }

  /// What no complete model needs: what interrupted downloads left and nobody is working on.
  public func leftovers() -> [Leftover] {
    var found = leftovers(in: settings.folder)
    for model in subfolders(of: settings.folder) {
      for variant in subfolders(of: model) {
        found += isAbandoned(variant) ? files(in: variant) : leftovers(in: variant)
      }
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Removes the leftovers.
  ///
  /// - Returns: those that were removed.
  @discardableResult
  public func prune() -> [Leftover] {
    let removed = leftovers().filter { unlink($0.path) == 0 }
    for model in subfolders(of: settings.folder) {
      for variant in subfolders(of: model) { rmdir(variant.path) }
      rmdir(model.path)
    }
    return removed
  }

  private func subfolders(of folder: URL) -> [URL] {
    Folder.entries(of: folder).filter { url in
      var status = stat()
      return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }

  private func files(in folder: URL) -> [Leftover] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name in
      let url = folder.appendingPathComponent(name)
      return Folder.fileSize(url).map { Leftover(path: url.path, byteCount: $0) }
    }
  }

  private func leftovers(in folder: URL) -> [Leftover] {
    let files = files(in: folder)
    let isBusy = FolderLock.isHeld(folder.path)
    let isTemporary = { (path: String) in
      let name = URL(fileURLWithPath: path).lastPathComponent
      return name.hasSuffix(".part") || name.hasSuffix(".new") && !isBusy
        || name.hasPrefix(".leap-") && name.hasSuffix(".partial")
    }
    var found = files.filter { isTemporary($0.path) && !FolderLock.isHeld($0.path) }
    // What is known of a part goes with it.
    found += files.filter { file in
      guard file.path.hasSuffix(".part.json") else { return false }
      let part = String(file.path.dropLast(5))
      return !files.contains { $0.path == part } || found.contains { $0.path == part }
    }
    return found
  }

  /// Whether a model in this folder is incomplete, and nobody is working on it.
  private func isAbandoned(_ variant: URL) -> Bool {
    let folder = ModelFolder(url: variant)
    guard (try? folder.manifest()) != nil else { return false }
    if case .complete? = try? folder.content(name: "", quantization: "") { return false }
    return !FolderLock.isHeld(variant.path)
      && !files(in: variant).contains { FolderLock.isHeld($0.path) }
  }
}
