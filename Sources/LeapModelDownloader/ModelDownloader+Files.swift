import Foundation
import ModelLibrary

extension ModelDownloader {
  /// Fetches one file; with `forceDownload` anew, though it is here.
  ///
  /// - Returns: where it lies, or a `ModelDownloadError` or `CancellationError`.
  public func downloadModel(
    _ model: any DownloadableModel, forceDownload: Bool = false
  ) async -> Result<URL, any Error> {
    do {
      return .success(try await library.fetch(model.source, force: forceDownload).files.model)
    } catch {
      return .failure(error)
    }
  }

  /// Starts to fetch one file, without waiting for it; `queryStatus(_:)` tells how far it is.
  public func requestDownloadModel(_ model: any DownloadableModel, forceDownload: Bool = false) {
    request(model.source, force: forceDownload)
  }

  /// Starts to fetch the files of a manifest, without waiting for them.
  public func requestDownloadModel(manifestUrl: URL, forceDownload: Bool = false) {
    request(.manifest(manifestUrl), force: forceDownload)
  }

  private func request(_ source: ModelSource, force: Bool) {
    let library = library
    Task.detached { try await library.fetch(source, force: force) }
  }

  /// Bytes of a file that is here; nil if it is not.
  public func getModelFileSize(_ model: any DownloadableModel) -> Int64? {
    (try? library.find(model.source))?.byteCount
  }

  /// Where a file lies, or will lie once it is fetched.
  public func getModelFile(_ model: any DownloadableModel) -> URL {
    (try? library.find(model.source))?.files.model
      ?? library.settings.folder.appendingPathComponent(model.localFilename)
  }
}
