import Foundation
import ModelLibrary

/// A model whose files are all on this machine.
public struct DownloadedModelManifest: Sendable {
  /// How the model is meant to be run.
  public let manifest: ModelManifest
  /// The `.gguf` file of the language model.
  public let localModelURL: URL
  /// What turns images, or sound, into the model's vectors.
  public let localMultimodalProjectorURL: URL?
  /// What turns the model's output into sound.
  public let localAudioDecoderURL: URL?
  /// The codec of the sound that the model gives.
  public let localAudioTokenizerURL: URL?
  /// A Jinja template that replaces the model's own.
  public let chatTemplate: String?

  init(_ model: StoredModel) {
    let manifest = model.manifest ?? ModelManifest(describing: model.files)
    self.manifest = manifest
    localModelURL = model.files.model
    localMultimodalProjectorURL = model.files.multimodalProjector
    localAudioDecoderURL = model.files.audioDecoder
    localAudioTokenizerURL = model.files.audioTokenizer
    chatTemplate = manifest.loadTimeParameters.chatTemplate
  }
}
