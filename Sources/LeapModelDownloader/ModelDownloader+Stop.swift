import Foundation
import ModelLibrary

/// Who waits for a download that is stopped gets `ModelDownloadError.downloadCancelled`. What has
/// arrived is kept, and the next download goes on from there.
extension ModelDownloader {
  /// Stops the downloads of a model, of all quantizations.
  public func requestStopDownload(_ model: String) {
    library.stop(model: model)
  }

  /// Stops the download of a model.
  public func requestStopDownload(_ model: String, quantization: String) {
    if let source = try? source(model, quantization) { library.stop(source) }
  }

  /// Stops the download of a manifest's files.
  public func requestStopDownload(_ manifestURL: URL) {
    library.stop(.manifest(manifestURL))
  }

  /// Stops the download of a file.
  public func requestStopDownload(_ model: any DownloadableModel) {
    library.stop(model.source)
  }

  /// A model that has been downloaded has nothing to stop.
  public func requestStopDownload(_ model: DownloadedModelManifest) {}

  /// Stops every download of this process into this downloader's folder.
  public func requestStopService() {
    library.stopAll()
  }
}
