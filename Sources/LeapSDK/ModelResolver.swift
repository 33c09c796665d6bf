import Foundation

/// Finds the files of a model that is asked for by name or manifest. Here they must be on this
/// machine already: this is the place to fetch what is missing.
enum ModelResolver {
  /// - Throws: `modelLoadingFailure`.
  static func plan(
    model: String, quantization: String, options: LiquidInferenceEngineManifestOptions?,
    store: ModelStore = .standard
  ) throws(LeapError) -> LoadPlan {
    if var plan = try store.plan(model: model, quantization: quantization, options: options) {
      plan.modelId = model
      return plan
    }
    throw .modelLoadingFailure(
      "The model \(model) (\(quantization)) is not on this machine: \(store.folder.path) holds "
        + "neither a file \(model)-\(quantization).gguf nor a folder \(model)-GGUF/\(quantization). "
        + "Put the file there, or set LEAP_MODELS_DIR to the folder that holds it.", nil)
  }

  /// - Throws: `modelLoadingFailure`.
  static func plan(
    manifestURL url: URL, options: LiquidInferenceEngineManifestOptions?
  ) throws(LeapError) -> LoadPlan {
    guard url.isFileURL || url.scheme == nil else {
      throw .modelLoadingFailure(
        "\(url.absoluteString) is not a file on this machine; download the manifest and the files "
          + "it names, and give the manifest's file URL.", nil)
    }
    let manifest = try ModelManifest(contentsOf: URL(fileURLWithPath: url.path))
    let folder = URL(fileURLWithPath: url.path).deletingLastPathComponent()
    let files = try manifest.files(in: folder, reach: .anywhere)
    return LoadPlan(files, manifest: manifest, options: options)
  }
}
