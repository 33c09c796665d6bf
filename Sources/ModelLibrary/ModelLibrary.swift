import Foundation
import Transfer

/// The models of this machine, and the way to get more. Thread-safe. Downloads of one model are
/// shared: by all instances of this process, and with other processes.
public final class ModelLibrary: Sendable {
  public let settings: LibrarySettings
  let transfer: Transfer
  var store: ModelStore { ModelStore(settings: settings) }

  public init(settings: LibrarySettings, transfer: Transfer = Transfer()) {
    self.settings = settings
    self.transfer = transfer
  }

  /// A model that is here; nil if it is not, or not completely. Asks nothing of the network.
  ///
  /// - Throws: `ManifestError` for a model whose manifest cannot be used.
  public func find(_ source: ModelSource) throws -> StoredModel? {
    guard case .complete(let model) = try store.content(source) else { return nil }
    return model
  }

  /// A model's files, fetched where they are not here yet. What is here costs no request.
  ///
  /// - Parameters:
  ///   - force: fetches everything anew; what is here stays until then.
  ///   - progress: called from any thread, one call at a time.
  /// - Throws: `ModelDownloadError`, or `CancellationError` where the task is cancelled.
  @concurrent
  public func fetch(
    _ source: ModelSource, force: Bool = false,
    progress: @escaping @Sendable (ModelProgress) -> Void = { _ in }
  ) async throws -> StoredModel {
    do {
      try Task.checkCancellation()
      if !force, let model = try findUsable(source) {
        progress(
          ModelProgress(
            fraction: 1, bytesPerSecond: 0, receivedBytes: model.byteCount,
            totalBytes: model.byteCount))
        return model
      }
      return try await DownloadRegistry.shared.run(key(source), progress: progress) { report in
        try await self.download(source, force: force, report)
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw ModelDownloadError(error)
    }
  }

  /// A saved manifest that was damaged is no reason to fail: the model is fetched anew.
  private func findUsable(_ source: ModelSource) throws -> StoredModel? {
    do {
      return try find(source)
    } catch let error as ManifestError {
      guard !settings.isOffline, store.folder(of: source)?.isDamaged == true else { throw error }
      return nil
    }
  }

  /// Asks nothing of the network.
  public func status(_ source: ModelSource) -> ModelStatus {
    if let fraction = DownloadRegistry.shared.fraction(key(source)) {
      return .incomplete(fraction: fraction)
    }
    switch try? store.content(source) {
    case .complete: return .complete
    case .partial(let fraction): return .incomplete(fraction: fraction)
    case .nothing, nil: return .absent
    }
  }

  /// Ends a download: whoever waits for it gets `downloadCancelled`. What arrived is kept.
  public func stop(_ source: ModelSource) {
    let key = key(source)
    DownloadRegistry.shared.stop { $0 == key }
  }

  /// Ends the downloads of a model in all quantizations.
  public func stop(model: String) {
    guard let name = try? ModelName(parsing: model) else { return }
    let start = key(.name(ModelName(owner: name.owner, model: name.model, quantization: "")))
    DownloadRegistry.shared.stop { $0.hasPrefix(start) }
  }

  /// Ends every download of this process into this library's folder.
  public func stopAll() {
    let start = settings.folder.path + "\n"
    DownloadRegistry.shared.stop { $0.hasPrefix(start) }
  }

  /// Bytes of all files of a model. Asks the network unless the model is here.
  ///
  /// - Throws: `ModelDownloadError` or `CancellationError`.
  @concurrent
  public func size(_ source: ModelSource) async throws -> Int64 {
    do {
      if let model = try find(source) { return model.byteCount }
      guard let size = try await plan(source).byteCount else {
        throw ModelDownloadError.downloadFailed(
          "The server does not tell how large the model is; it can be downloaded all the same.", nil
        )
      }
      return size
    } catch let error as CancellationError {
      throw error
    } catch {
      throw ModelDownloadError(error)
    }
  }

  /// Every complete model of this machine, by name.
  public func list() -> [StoredModel] { store.list() }

  /// Bytes that can be written to the library's folder; nil where the system does not tell.
  public func availableDiskSpace() -> Int64? {
    DiskSpace.available(at: settings.folder.path)
  }

  /// What a download is known by. Names differ in nothing but case where their files do.
  private func key(_ source: ModelSource) -> String {
    let text =
      switch source {
      case .name(let name):
        "\(name.ownerOrDefault)/\(name.model):\(name.quantization)".lowercased()
      case .manifest(let url):
        if let name = store.name(ofManifest: url) {
          "\(name.ownerOrDefault)/\(name.model):\(name.quantization)".lowercased()
        } else {
          url.absoluteString
        }
      case .file(_, let localName): "file \(localName)"
      }
    return settings.folder.path + "\n" + text
  }

  /// Asks servers where a model is.
  func plan(_ source: ModelSource) async throws -> FetchPlan {
    guard !settings.isOffline else {
      throw ModelDownloadError.downloadFailed(
        "\(source.description) is not on this machine (not in \(settings.folder.path)), and HF_HUB_OFFLINE "
          + "forbids to fetch it; unset it, or put the model there.", nil)
    }
    return try await ModelResolver(settings, transfer).plan(source)
  }
}
