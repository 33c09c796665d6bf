// Stands in for the module LeapModelDownloader where the package has none yet: the signatures alone.
@_exported import LeapSDK

public class ModelDownloader {
  public enum ModelDownloadStatus: Equatable {
    case notOnLocal
    case downloadInProgress(progress: Double)
    case downloaded
  }

  public struct DownloadedModelManifest {}

  public init() {}

  @preconcurrency @discardableResult
  public func downloadModel(
    _ model: String, quantization: String,
    downloadProgress: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> DownloadedModelManifest { DownloadedModelManifest() }

  public func queryStatus(_ model: String, quantization: String) -> ModelDownloadStatus {
    .notOnLocal
  }
  public func removeModel(_ model: String, quantization: String) throws {}
  public nonisolated(nonsending)
    func getModelSize(modelName: String, quantization: String) async throws -> Int64
  { 0 }
  public func getAvailableDiskSpace() -> Int64? { nil }
  public func requestStopDownload(_ model: String) {}
}
