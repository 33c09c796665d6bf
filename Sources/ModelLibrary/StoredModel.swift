import Foundation

/// The files of a model.
public struct ModelFiles: Sendable, Equatable {
  public var model: URL
  public var multimodalProjector: URL?
  public var audioDecoder: URL?
  public var audioTokenizer: URL?

  public init(
    model: URL, multimodalProjector: URL? = nil, audioDecoder: URL? = nil,
    audioTokenizer: URL? = nil
  ) {
    self.model = model
    self.multimodalProjector = multimodalProjector
    self.audioDecoder = audioDecoder
    self.audioTokenizer = audioTokenizer
  }
}

/// A model that is on this machine, complete.
public struct StoredModel: Sendable {
  public enum Origin: String, Sendable {
    /// Fetched by this library.
    case library
    /// A `.gguf` file that someone put into the library's folder.
    case file
    /// In the cache of the hub's own tools.
    case hubCache
    /// Described by a manifest elsewhere on this machine.
    case manifest
  }

  public var name: String
  public var quantization: String
  public var files: ModelFiles
  public var manifest: ModelManifest?
  /// Of all files, shards included.
  public var byteCount: Int64
  public var origin: Origin
}
