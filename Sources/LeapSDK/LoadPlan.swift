import Foundation
import Generation

/// All that is needed to load a model: its files and how to run it.
struct LoadPlan: Sendable {
  var options: LiquidInferenceEngineOptions
  /// What a manifest recommends.
  var sampling = SamplingRecommendation()
  var audioTemperature: Float?
  var audioTopK: Int?
  var modelId: String

  /// A file, named after itself.
  init(_ options: LiquidInferenceEngineOptions) {
    self.options = options
    modelId = URL(fileURLWithPath: options.bundlePath).deletingPathExtension().lastPathComponent
  }

  /// Loads the model on a thread of its own.
  ///
  /// - Throws: `LeapError` or `CancellationError`.
  func host() async throws -> ModelHost {
    try Task.checkCancellation()
    let host = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<ModelHost, any Error>) in
      let thread = Thread { continuation.resume(with: Result { try hostHere() }) }
      thread.stackSize = 4 << 20
      thread.start()
    }
    try Task.checkCancellation()
    return host
  }

  /// Loads the model, blocking the calling thread meanwhile.
  func hostHere() throws(LeapError) -> ModelHost {
    var loadOptions = try LoadOptions(options)
    loadOptions.sampling = sampling
    loadOptions.sounds.temperature = loadOptions.sounds.temperature ?? audioTemperature
    loadOptions.sounds.topK = loadOptions.sounds.topK ?? audioTopK
    do {
      return try ModelHost(LoadedModel.load(path: options.bundlePath, options: loadOptions))
    } catch {
      throw .modelLoadingFailure(error.description, error)
    }
  }
}
