import Foundation

/// The folder of models on this machine. A model lies there as `<model>-<quantization>.gguf`, or
/// in `<...>_<model>-GGUF/<quantization>/` together with its manifest.
struct ModelStore: Sendable {
  let folder: URL

  /// `$LEAP_MODELS_DIR`, else `leap_models` in the folder for an app's data.
  static var standard: ModelStore { ModelStore(environment: ProcessInfo.processInfo.environment) }

  init(folder: URL) {
    self.folder = folder
  }

  /// Variables that hold no absolute path count as not set.
  init(environment: [String: String]) {
    func folder(_ variable: String) -> URL? {
      guard let path = environment[variable], path.hasPrefix("/") else { return nil }
      return URL(fileURLWithPath: path)
    }
    if let models = folder("LEAP_MODELS_DIR") {
      self.folder = models
      return
    }
    let home = folder("HOME") ?? URL(fileURLWithPath: NSHomeDirectory())
    #if canImport(Darwin)
      let data =
        FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        ?? home.appendingPathComponent("Documents")
    #else
      let data = folder("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share")
    #endif
    self.folder = data.appendingPathComponent("leap_models")
  }

  /// How to load a model that is here; nil if it is not. Names are compared with what lies in the
  /// folder, whatever their case, and never become part of a path themselves.
  ///
  /// - Throws: `modelLoadingFailure` for a model whose manifest cannot be used.
  func plan(
    model: String, quantization: String, options: LiquidInferenceEngineManifestOptions?
  ) throws(LeapError) -> LoadPlan? {
    let model = model.lowercased()
    let entries = Self.entries(of: folder)
    for entry in entries where Self.names(entry, model: model) {
      for variant in Self.entries(of: entry)
      where variant.lastPathComponent.lowercased() == quantization.lowercased() {
        if let plan = try Self.plan(in: variant, options) { return plan }
      }
    }
    return entries.first {
      $0.lastPathComponent.lowercased() == "\(model)-\(quantization.lowercased()).gguf"
    }.map { LoadPlan(ModelManifest.Files(model: $0.path), options: options) }
  }

  /// The model in the folder of one quantization.
  private static func plan(
    in folder: URL, _ options: LiquidInferenceEngineManifestOptions?
  ) throws(LeapError) -> LoadPlan? {
    let files = entries(of: folder)
    if let url = files.first(where: { $0.pathExtension.lowercased() == "json" }) {
      let manifest = try ModelManifest(contentsOf: url)
      let files = try manifest.files(in: folder, reach: .folder)
      return LoadPlan(files, manifest: manifest, options: options)
    }
    let models = files.filter { $0.pathExtension.lowercased() == "gguf" }
    guard models.count == 1, let file = models.first else { return nil }
    return LoadPlan(ModelManifest.Files(model: file.path), options: options)
  }

  /// Whether a folder's name, the flattened URL of a manifest, ends in the model's.
  private static func names(_ folder: URL, model: String) -> Bool {
    let name = folder.lastPathComponent.lowercased()
    return name == model || name == model + "-gguf" || name.hasSuffix("_" + model + "-gguf")
  }

  private static func entries(of folder: URL) -> [URL] {
    let entries = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    return (entries ?? []).sorted { $0.path < $1.path }
  }
}
