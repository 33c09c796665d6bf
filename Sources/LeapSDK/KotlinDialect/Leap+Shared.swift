// The 0.10 SDK was a Kotlin library seen through a bridge. This folder makes the common spellings of
// apps written for it compile; nothing else depends on it.

extension Leap {
  /// An object for the 0.10 way of calling: `Leap.shared.load(...)`.
  public static var shared: Leap { Leap() }

  /// See the static `load(model:quantization:options:downloadProgressHandler:)`.
  @preconcurrency
  public func load(
    model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
    progress: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> any ModelRunner {
    try await Leap.load(
      model: model, quantization: quantization, options: options,
      downloadProgressHandler: progress)
  }

  /// See the static `load(manifestURL:options:downloadProgressHandler:)`.
  @preconcurrency
  public func load(
    manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
    progress: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> any ModelRunner {
    try await Leap.load(
      manifestURL: manifestUrl, options: options, downloadProgressHandler: progress)
  }

  /// See the static `load(url:options:)`.
  public func load(
    url: URL, options: LiquidInferenceEngineOptions? = nil
  ) async throws -> any ModelRunner {
    try await Leap.load(url: url, options: options)
  }

  /// Loads a `.gguf` file with a context of `contextSize` tokens.
  public func load(
    url: URL, contextSize: UInt32?, cpuThreads: UInt32? = nil
  ) async throws -> any ModelRunner {
    try await Leap.load(
      url: url,
      options: LiquidInferenceEngineOptions(
        bundlePath: url.path, cpuThreads: cpuThreads, contextSize: contextSize))
  }
}
