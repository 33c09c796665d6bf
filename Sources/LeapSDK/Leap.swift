import Foundation

/// Loads models.
///
/// The work is done on a thread of its own. Every form throws `LeapError.modelLoadingFailure` with
/// a readable reason; the asynchronous ones also throw `CancellationError`.
public struct Leap: Sendable {
  init() {}

  /// Loads a model by name, `LFM2-1.2B` in `Q4_K_M` for instance.
  ///
  /// It is looked for in `$LEAP_MODELS_DIR`, else in `leap_models` in the folder for an app's data:
  /// Documents on Apple platforms, `$XDG_DATA_HOME` or `~/.local/share` elsewhere. There it is a
  /// file `<model>-<quantization>.gguf`, or lies in a folder `<model>-GGUF/<quantization>`.
  ///
  /// `downloadProgressHandler` is called on the main actor with the fraction that has been
  /// downloaded and the bytes per second; 1 comes exactly once, before the model is loaded into
  /// memory.
  @preconcurrency
  public static func load(
    model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
    downloadProgressHandler: (@MainActor @Sendable (Double, Int64) -> Void)? = nil
  ) async throws -> any ModelRunner {
    try await LiquidInferenceEngineRunner(
      model: model, quantization: quantization, options: options,
      downloadProgressHandler: downloadProgressHandler)
  }

  /// Loads the model that a manifest describes. The manifest and its files must be on this machine:
  /// a `file:` URL.
  ///
  /// `downloadProgressHandler` is called as by `load(model:quantization:)`.
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
