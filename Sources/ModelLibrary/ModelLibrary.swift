import Foundation
import Transfer

/// How far the download of a model is, over all of its files.
public struct ModelProgress: Sendable, Equatable {
  /// 0 to 1; never falls, and is 1 exactly once, at the end.
  public var fraction: Double
  public var bytesPerSecond: Int64
  public var receivedBytes: Int64
  /// Nil while the size of a file is not known.
  public var totalBytes: Int64?
  /// The name of the file that is arriving; nil at the end.
  public var file: String?
}

/// Where a model stands.
public enum ModelStatus: Sendable, Equatable {
  case absent
  /// Being fetched, or only some of its files are here.
  case incomplete(fraction: Double)
  case complete
}

/// The models of this machine, and the way to get more. Thread-safe. Downloads of one model are
/// shared: by all instances of this process, and with other processes.
public final class ModelLibrary: Sendable {
  public let settings: LibrarySettings

  public init(settings: LibrarySettings, transfer: Transfer = Transfer()) {
    self.settings = settings
  }

  /// A model that is here; nil if it is not, or not completely. Asks nothing of the network.
  ///
  /// - Throws: `ManifestError` for a model whose manifest cannot be used.
  public func find(_ source: ModelSource) throws -> StoredModel? { nil }

  /// A model's files, fetched where they are not here yet. What is here costs no request.
  ///
  /// - Parameters:
  ///   - force: fetches everything anew.
  ///   - progress: called from any thread, one call at a time.
  /// - Throws: `ModelDownloadError`, or `CancellationError` where the task is cancelled.
  @concurrent
  public func fetch(
    _ source: ModelSource, force: Bool = false,
    progress: @escaping @Sendable (ModelProgress) -> Void = { _ in }
  ) async throws -> StoredModel {
    throw ModelDownloadError.downloadFailed("", nil)
  }

  /// Asks nothing of the network.
  public func status(_ source: ModelSource) -> ModelStatus { .absent }

  /// Ends a download: whoever waits for it gets `downloadCancelled`. What arrived is kept.
  public func stop(_ source: ModelSource) {}

  /// Ends every download of this process into this library's folder.
  public func stopAll() {}

  /// Removes a model's files, half-fetched ones too. One that is not here is no error.
  ///
  /// - Throws: `ModelDownloadError.downloadFileIOError`.
  public func remove(_ source: ModelSource) throws {}

  /// Bytes of all files of a model. Asks the network unless the model is here.
  ///
  /// - Throws: `ModelDownloadError` or `CancellationError`.
  @concurrent
  public func size(_ source: ModelSource) async throws -> Int64 { 0 }

  /// Every complete model of this machine, by name.
  public func list() -> [StoredModel] { [] }

  /// Files that no complete model needs: what interrupted downloads left, that no process is
  /// working on.
  public func leftovers() -> [Leftover] { [] }

  /// - Returns: those that were removed.
  @discardableResult
  public func prune() -> [Leftover] { [] }

  /// Bytes that can be written to the library's folder; nil where the system does not tell.
  public func availableDiskSpace() -> Int64? { nil }
}

/// Something that an interrupted download left.
public struct Leftover: Sendable, Equatable {
  public var path: String
  public var byteCount: Int64
}
