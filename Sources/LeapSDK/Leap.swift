import Foundation

/// Loads models.
///
/// The work is done on a thread of its own. Every form throws `LeapError.modelLoadingFailure` with
/// a readable reason; the asynchronous ones also throw `CancellationError`.
public struct Leap: Sendable {
  init() {}

  /// Loads a model by name, `LFM2.5-1.2B-Instruct` in `Q4_K_M` for instance, and fetches it first
  /// where it is missing. A model that is here asks nothing of the network.
  ///
  /// It is looked for in `$LEAP_MODELS_DIR`, else in `leap_models` in the folder for an app's data
  /// (Documents on Apple platforms, `$XDG_DATA_HOME` or `~/.local/share` elsewhere), then in the cache
  /// of the hub's own tools, at the mirrors in `$LEAP_MODELS_URL`, and at the hub. In the folder it is
  /// a file `<model>-<quantization>.gguf`, or lies in a folder `<model>-GGUF/<quantization>`.
  ///
  /// `downloadProgressHandler` is called on the main actor with the fraction of all files that has
  /// arrived, which never falls, and the bytes per second; 1 comes exactly once, before the model is
  /// loaded into memory.
  ///
  /// A download that fails throws `modelLoadingFailure` with the `ModelDownloadError` inside. What
  /// has arrived is kept, also when the task is cancelled, and the next call goes on from there.
  @preconcurrency
  public static func load(
    model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
    downloadProgressHandler: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> any ModelRunner {
    try await LiquidInferenceEngineRunner(
      model: model, quantization: quantization, options: options,
      downloadProgressHandler: downloadProgressHandler)
  }

  /// Loads the model that a manifest describes: one on this machine (a `file:` URL), or one on a
  /// server, which is kept with its files in the folder of models.
  ///
  /// Behaves as `load(model:quantization:)` otherwise.
  @preconcurrency
  public static func load(
    manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
    downloadProgressHandler: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> any ModelRunner {
    try await LiquidInferenceEngineRunner(
      manifestURL: manifestURL, options: options, downloadProgressHandler: downloadProgressHandler)
  }

  /// Loads a `.gguf` file.
  public static func load(
    url: URL, options: LiquidInferenceEngineOptions? = nil
  ) async throws -> any ModelRunner {
    try await LiquidInferenceEngineRunner(loading: LoadPlan(resolve(url, options)))
  }

  /// Loads a `.gguf` file, blocking the calling thread meanwhile.
  public static func load(
    url: URL, options: LiquidInferenceEngineOptions? = nil
  ) throws -> any ModelRunner {
    try LiquidInferenceEngineRunner(options: resolve(url, options))
  }

  /// Loads the file at `options.bundlePath`, blocking the calling thread meanwhile.
  public static func load(options: LiquidInferenceEngineOptions) throws -> any ModelRunner {
    try LiquidInferenceEngineRunner(options: options)
  }

  private static func resolve(
    _ url: URL, _ options: LiquidInferenceEngineOptions?
  ) throws(LeapError) -> LiquidInferenceEngineOptions {
    guard url.isFileURL || url.scheme == nil else {
      throw .modelLoadingFailure(
        "\(url.absoluteString) is not a file on this machine; download the model first and give "
          + "the URL of the file.", nil)
    }
    var options = options ?? LiquidInferenceEngineOptions(bundlePath: url.path)
    options.bundlePath = url.path
    return options
  }
}
