import Foundation
import ModelLibrary
import Transfer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches models and looks after those that are on this machine. Thread-safe.
///
/// A model is looked for in the folder of models first, then in the cache of the hub's own tools,
/// then at mirrors, then at the hub; what is complete here costs no request. Downloads that broke
/// off, were stopped or whose process was killed go on where they stopped. A file appears under its
/// name only when it is complete and verified. All instances share the downloads of a process, and
/// processes wait for each other.
///
/// The environment says where: see `LibrarySettings`.
public final class ModelDownloader: Sendable {
  let library: ModelLibrary

  /// - Parameters:
  ///   - sessionConfiguration: how connections are made.
  ///   - notificationConfig: accepted for compatibility; nothing is shown.
  public init(
    sessionConfiguration: URLSessionConfiguration = .leapDefault,
    notificationConfig: LeapModelDownloaderNotificationConfig? = nil
  ) {
    library = ModelLibrary(
      settings: .standard, transfer: Transfer(configuration: sessionConfiguration))
  }

  /// A downloader that does not ask the environment.
  public init(
    settings: LibrarySettings, sessionConfiguration: URLSessionConfiguration = .leapDefault
  ) {
    library = ModelLibrary(
      settings: settings, transfer: Transfer(configuration: sessionConfiguration))
  }

  /// Fetches a model by name, `LFM2.5-1.2B-Instruct` in `Q4_K_M` for instance.
  ///
  /// `downloadProgress` is called on the main actor with the fraction of all files that has arrived,
  /// which never falls and is 1 exactly once, and the bytes per second.
  ///
  /// - Throws: `ModelDownloadError`, or `CancellationError` where the task is cancelled; what has
  ///   arrived by then is kept.
  @preconcurrency @discardableResult
  public func downloadModel(
    _ model: String, quantization: String,
    downloadProgress: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> DownloadedModelManifest {
    try await fetch(source(model, quantization), downloadProgress)
  }

  /// Fetches the files that a manifest names. It may lie on this machine: a `file:` URL.
  ///
  /// - Throws: as `downloadModel(_:quantization:)`.
  @preconcurrency @discardableResult
  public func downloadModelFromManifest(
    _ manifestURL: URL,
    downloadProgress: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> DownloadedModelManifest {
    try await fetch(.manifest(manifestURL), downloadProgress)
  }

  /// Bytes of all files of a model. Asks the network unless the model is on this machine.
  ///
  /// - Throws: `ModelDownloadError` or `CancellationError`.
  public func getModelSize(modelName: String, quantization: String) async throws -> Int64 {
    try await library.size(source(modelName, quantization))
  }

  /// Bytes that can be written to the folder of models; nil where the system does not tell.
  public func getAvailableDiskSpace() -> Int64? { library.availableDiskSpace() }

  /// Whether notifications may be shown: never, as this library shows none.
  public func requestNotificationPermissions() async -> Bool { false }

  private func fetch(
    _ source: ModelSource, _ handler: LoadProgress.Handler?
  ) async throws -> DownloadedModelManifest {
    let progress = LoadProgress(to: handler)
    defer { progress.finish() }
    return DownloadedModelManifest(try await library.fetch(source) { progress.report($0) })
  }

  func source(_ model: String, _ quantization: String) throws -> ModelSource {
    do {
      return .name(try ModelName(parsing: "\(model):\(quantization)"))
    } catch {
      throw ModelDownloadError.downloadFailed("There is no such model.", error)
    }
  }
}

extension URLSessionConfiguration {
  /// How models are fetched unless told otherwise: no cookies, no cache.
  public static var leapDefault: URLSessionConfiguration { .ephemeral }
}

/// Texts of the notifications that an app shows while a model arrives. Kept for compatibility:
/// this library shows none.
public struct LeapModelDownloaderNotificationConfig: Sendable, Equatable {
  /// The title while a model arrives.
  public var notificationTitleDownloading: String
  /// The title once it is there.
  public var notificationTitleDownloaded: String
  /// The text while a model arrives.
  public var notificationContentDownloading: String

  /// Texts in English unless others are given.
  public init(
    notificationTitleDownloading: String = "Downloading the model",
    notificationTitleDownloaded: String = "The model is ready",
    notificationContentDownloading: String = "This may take a few minutes."
  ) {
    self.notificationTitleDownloading = notificationTitleDownloading
    self.notificationTitleDownloaded = notificationTitleDownloaded
    self.notificationContentDownloading = notificationContentDownloading
  }
}
