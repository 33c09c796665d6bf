import Foundation
import LeapSDK
import ModelLibrary

/// Names of version 0.10.
extension ModelDownloader {
  /// Fetches a model where it is missing, and loads it. See `Leap.load(model:quantization:)`.
  @preconcurrency
  public func loadModel(
    modelName: String, quantizationType: String,
    options: LiquidInferenceEngineManifestOptions? = nil, forceDownload: Bool = false,
    downloadProgress: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> any ModelRunner {
    try await load(
      source(modelName, quantizationType), options, forceDownload, downloadProgress)
  }

  /// Fetches the files of a manifest where they are missing, and loads the model. See
  /// `Leap.load(manifestURL:)`.
  @preconcurrency
  public func loadModel(
    manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
    forceDownload: Bool = false,
    downloadProgress: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> any ModelRunner {
    try await load(.manifest(manifestUrl), options, forceDownload, downloadProgress)
  }

  private func load(
    _ source: ModelSource, _ options: LiquidInferenceEngineManifestOptions?, _ force: Bool,
    _ progress: LoadProgress.Handler?
  ) async throws -> any ModelRunner {
    try await LiquidInferenceEngineRunner(
      fetching: source, options: options, library: library, force: force, progress: progress)
  }
}
