import Foundation
import Generation
import ModelLibrary

extension LoadPlan {
  /// The engines and tasks that a manifest may ask for.
  private static let inferenceTypes = [
    "llama.cpp/text-to-text", "llama.cpp/image-to-text", "llama.cpp/lfm2-audio-v1",
  ]

  /// - Throws: `modelLoadingFailure` for what cannot be a model's name.
  static func source(model: String, quantization: String) throws(LeapError) -> ModelSource {
    do {
      return .name(try ModelName(parsing: "\(model):\(quantization)"))
    } catch {
      throw .modelLoadingFailure(sentence(error), error)
    }
  }

  private static func sentence(_ error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }

  /// Fetches what is not on this machine yet, and plans how to load it.
  ///
  /// - Throws: `LeapError.modelLoadingFailure` with the library's error inside, or
  ///   `CancellationError`.
  static func fetching(
    _ source: ModelSource, options: LiquidInferenceEngineManifestOptions?,
    library: ModelLibrary, force: Bool = false, progress handler: LoadProgress.Handler?
  ) async throws -> LoadPlan {
    try Task.checkCancellation()
    let progress = LoadProgress(to: handler)
    defer { progress.finish() }
    do {
      let model = try await library.fetch(source, force: force) { progress.report($0) }
      return try LoadPlan(model, options: options)
    } catch let error as LeapError {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw LeapError.modelLoadingFailure(sentence(error), error)
    }
  }

  /// A model of this machine; what the caller's options leave open is up to its manifest.
  ///
  /// - Throws: `modelLoadingFailure` for a model of a kind that is not known.
  init(_ model: StoredModel, options: LiquidInferenceEngineManifestOptions?) throws(LeapError) {
    if let type = model.manifest?.inferenceType, !Self.inferenceTypes.contains(type) {
      let known = Self.inferenceTypes.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .modelLoadingFailure(
        "\(model.name) cannot be loaded: its manifest's inference_type is \"\(type)\", but this "
          + "version runs \(known). Update the library.", nil)
    }
    let running = model.manifest?.generationTimeParameters
    self.init(
      LiquidInferenceEngineOptions(
        bundlePath: model.files.model.path,
        cacheOptions: options?.cacheOptions,
        cpuThreads: options?.cpuThreads
          ?? running?.numberOfDecodingThreads.map { UInt32(clamping: $0) },
        contextSize: options?.contextSize,
        nGpuLayers: options?.nGpuLayers,
        mmProjPath: model.files.multimodalProjector?.path,
        audioDecoderPath: model.files.audioDecoder?.path,
        chatTemplate: options?.chatTemplate ?? model.manifest?.loadTimeParameters.chatTemplate,
        audioTokenizerPath: model.files.audioTokenizer?.path,
        audioDecoderUseGpu: options?.audioDecoderUseGpu,
        extras: options?.extras))
    modelId = model.name
    if let sampling = running?.samplingParameters {
      self.sampling = SamplingRecommendation(sampling)
      (audioTemperature, audioTopK) = (sampling.audioTemperature, sampling.audioTopK)
    }
  }
}

extension SamplingRecommendation {
  /// What a manifest recommends.
  package init(_ sampling: ModelManifest.SamplingParameters) {
    self.init(
      temperature: sampling.temperature, topK: sampling.topK, topP: sampling.topP,
      minP: sampling.minP, repetitionPenalty: sampling.repetitionPenalty)
  }
}
