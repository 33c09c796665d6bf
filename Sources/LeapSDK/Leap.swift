import Foundation

/// Loads models.
public struct Leap: Sendable {
  private init() {}

  /// Loads a `.gguf` file. The work is done on a thread of its own.
  ///
  /// - Throws: `LeapError.modelLoadingFailure` with a readable reason, or `CancellationError`.
  public static func load(
    url: URL, options: LiquidInferenceEngineOptions? = nil
  ) async throws -> any ModelRunner {
    let options = try resolve(url, options)
    try Task.checkCancellation()
    let runner = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<LiquidInferenceEngineRunner, any Error>) in
      let thread = Thread {
        continuation.resume(with: Result { try LiquidInferenceEngineRunner(options: options) })
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
    try Task.checkCancellation()
    return runner
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
  ) throws -> LiquidInferenceEngineOptions {
    guard url.isFileURL || url.scheme == nil else {
      throw LeapError.modelLoadingFailure(
        "\(url.absoluteString) is not a file on this machine; download the model first and give "
          + "the URL of the file.", nil)
    }
    var options = options ?? LiquidInferenceEngineOptions(bundlePath: url.path)
    options.bundlePath = url.path
    return options
  }
}
