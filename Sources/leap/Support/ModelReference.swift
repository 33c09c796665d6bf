import CommandLineSupport
import Foundation
import ModelLibrary

/// What `-m` names: a file, or a model that is fetched where it is missing.
struct ModelReference {
  var path: String
  /// How the model is meant to be run, if it came with a manifest.
  var manifest: ModelManifest?
  /// The encoder that came with it, and what it speaks with.
  var projector: String?
  var vocoder: String?
  var tokenizer: String?

  init(path: String, manifest: ModelManifest? = nil) {
    self.path = path
    self.manifest = manifest
  }

  /// - Throws: `Interrupted`, `ModelDownloadError`, `ManifestError`.
  init(_ text: String) throws {
    guard let name = Self.name(in: text) else {
      self.init(path: text)
      return
    }
    let library = ModelLibrary(settings: .standard)
    let model: StoredModel
    if let found = try library.find(.name(name)) {
      model = found
    } else {
      Console.note(
        "\(name) is not on this machine yet; fetching it (Ctrl-C stops, and keeps what came)")
      model = try ModelPull(library: library, display: .bar).run(.name(name))
    }
    self.init(path: model.files.model.path, manifest: model.manifest)
    projector = model.files.multimodalProjector?.path
    vocoder = model.files.audioDecoder?.path
    tokenizer = model.files.audioTokenizer?.path
  }

  /// Nil for what is, or was meant to be, a file: a slip in a file's name must not become a request
  /// to a server.
  private static func name(in text: String) -> ModelName? {
    let looksLikePath =
      text.hasPrefix("/") || text.hasPrefix(".") || text.hasPrefix("~")
      || text.lowercased().hasSuffix(".gguf") || text.lowercased().hasSuffix(".bin")
    guard !looksLikePath, !FileManager.default.fileExists(atPath: text),
      let name = try? ModelName(parsing: text)
    else { return nil }
    if text.contains(":") || text.contains("/") || KnownModel.named(name.model) != nil {
      return name
    }
    let isHere = (try? ModelLibrary(settings: .standard).find(.name(name))) ?? nil
    return isHere == nil ? nil : name
  }
}
