/// A file that belongs to a model of images or sound.
enum Companion {
  /// Nil for a name that is not of this kind.
  init?(_ fileName: String) {
    let name = fileName.lowercased()
    let isGGUF = name.hasSuffix(".gguf")
    if name.hasPrefix("mmproj"), isGGUF {
      self = .multimodalProjector
    } else if name.contains("tokenizer"), isGGUF || name.hasSuffix(".safetensors") {
      self = .audioTokenizer
    } else if isGGUF || name.hasSuffix(".bin"),
      name.contains("vocoder") || name.contains("audio") && name.contains("decoder")
    {
      self = .audioDecoder
    } else {
      return nil
    }
  }

  case multimodalProjector, audioDecoder, audioTokenizer

  var role: ModelManifest.Role {
    switch self {
    case .multimodalProjector: .multimodalProjector
    case .audioDecoder: .audioDecoder
    case .audioTokenizer: .audioTokenizer
    }
  }
}
