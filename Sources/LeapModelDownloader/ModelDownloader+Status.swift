import Foundation
import ModelLibrary

extension ModelDownloader {
  /// Where a model stands.
  public enum ModelDownloadStatus: Sendable, Equatable {
    /// Not here, or only the beginning of a download that has ended.
    case notOnLocal
    /// Being fetched, or some of its files are here.
    case downloadInProgress(progress: Double)
    /// Every file is here.
    case downloaded

    init(_ status: ModelStatus) {
      self =
        switch status {
        case .absent: .notOnLocal
        case .incomplete(let fraction): .downloadInProgress(progress: fraction)
        case .complete: .downloaded
        }
    }
  }

  /// Asks nothing of the network.
  public func queryStatus(_ model: String, quantization: String) -> ModelDownloadStatus {
    (try? source(model, quantization)).map { ModelDownloadStatus(library.status($0)) }
      ?? .notOnLocal
  }

  /// Asks nothing of the network.
  public func queryStatus(_ manifestURL: URL) -> ModelDownloadStatus {
    ModelDownloadStatus(library.status(.manifest(manifestURL)))
  }

  /// Asks nothing of the network.
  public func queryStatus(_ model: any DownloadableModel) -> ModelDownloadStatus {
    ModelDownloadStatus(library.status(model.source))
  }

  /// Removes a model's files, half-fetched ones too; its other quantizations stay. One that is not
  /// here is no error. Unload a model first: its file is mapped while it runs.
  ///
  /// - Throws: `ModelDownloadError.downloadFileIOError`.
  public func removeModel(_ model: String, quantization: String) throws {
    try library.remove(source(model, quantization))
  }

  /// Removes the files that were fetched for a manifest.
  ///
  /// - Throws: `ModelDownloadError.downloadFileIOError`.
  public func removeModel(fromManifestURL manifestURL: URL) throws {
    try library.remove(.manifest(manifestURL))
  }

  /// Removes a file.
  ///
  /// - Throws: `ModelDownloadError.downloadFileIOError`.
  public func removeModel(_ model: any DownloadableModel) async throws {
    try library.remove(model.source)
  }
}
