import GGUF
import Models

extension VisionConfiguration {
  /// Reads and checks the metadata. The width of the projector is known to its tensor alone.
  init(_ file: GGUFFile) throws(VisionError) {
    let keys = ProjectorMetadata(file)
    try keys.checkKind()
    name = keys.text("general.name")
    layerCount = try keys.int("clip.vision.block_count", in: 1...256)
    embeddingLength = try keys.int("clip.vision.embedding_length", in: 1...16_384)
    feedForwardLength = try keys.int("clip.vision.feed_forward_length", in: 1...65_536)
    headCount = try keys.int("clip.vision.attention.head_count", in: 1...256)
    guard embeddingLength % headCount == 0 else {
      throw .model(
        .invalidKey(
          "clip.vision.attention.head_count",
          reason: "\(headCount) heads do not divide the embedding length \(embeddingLength)"))
    }
    patchSize = try keys.int("clip.vision.patch_size", in: 1...64)
    let imageSize = try keys.int("clip.vision.image_size", in: patchSize...16_384)
    positionGridSide = imageSize / patchSize
    downsample = try keys.int("clip.vision.projector.scale_factor", in: 1...8)
    projectionDimension = try keys.int("clip.vision.projection_dim", in: 1...65_536)
    normEpsilon = try keys.float("clip.vision.attention.layer_norm_epsilon", default: 1e-6)
    imageMean = try keys.channels("clip.vision.image_mean", atLeast: 0)
    imageDeviation = try keys.channels("clip.vision.image_std", atLeast: 1e-3)
    projectorHasNorm = file.tensor(named: "mm.input_norm.weight") != nil
    let widths = file.tensor(named: "mm.1.weight")?.dimensions ?? []
    guard widths.count >= 2 else { throw .model(.missingTensor(names: ["mm.1.weight"])) }
    projectorLength = widths[1]
    guard (1...65_536).contains(projectorLength) else {
      throw .model(
        .wrongShape(
          tensor: "mm.1.weight", found: widths,
          expected: [embeddingLength * downsample * downsample, projectionDimension]))
    }
  }
}

/// Typed, range-checked access to the metadata of a projector file.
private struct ProjectorMetadata {
  private let metadata: GGUFMetadata

  init(_ file: GGUFFile) { metadata = file.metadata }

  func text(_ key: String) -> String? { metadata[key]?.stringValue }

  /// Whether this is the image encoder of an LFM2-VL model.
  func checkKind() throws(VisionError) {
    let architecture = text("general.architecture")
    guard architecture == "clip" else { throw .notAProjector(architecture: architecture) }
    // Files for several kinds of input name a projector for each.
    guard let type = text("clip.vision.projector_type") ?? text("clip.projector_type") else {
      throw .model(.missingKey("clip.projector_type"))
    }
    guard type == "lfm2" else { throw .unsupportedProjector("is of the type \"\(type)\"") }
    guard metadata["clip.has_vision_encoder"]?.boolValue != false else {
      throw .unsupportedProjector("has no image encoder")
    }
    guard metadata["clip.use_silu"]?.boolValue != true,
      metadata["clip.use_gelu"]?.boolValue != false
    else { throw .unsupportedFeature("another activation function than GELU") }
  }

  func int(_ key: String, in range: ClosedRange<Int>) throws(VisionError) -> Int {
    guard let value = metadata[key] else { throw .model(.missingKey(key)) }
    guard let number = value.intValue else {
      throw .model(.invalidKey(key, reason: "it is not a whole number"))
    }
    guard range.contains(number) else {
      throw .model(
        .invalidKey(
          key, reason: "\(number) lies outside \(range.lowerBound) to \(range.upperBound)"))
    }
    return number
  }

  func float(_ key: String, default fallback: Float) throws(VisionError) -> Float {
    guard let value = metadata[key] else { return fallback }
    guard let number = value.floatValue, number > 0, number < 1 else {
      throw .model(.invalidKey(key, reason: "it is not a number between 0 and 1"))
    }
    return number
  }

  /// One number for each of red, green and blue.
  func channels(_ key: String, atLeast low: Float) throws(VisionError) -> [Float] {
    guard let value = metadata[key] else { return [0.5, 0.5, 0.5] }
    guard let array = value.arrayValue, array.count == 3, let numbers = array.floats(),
      numbers.allSatisfy({ $0 >= low && $0 <= 1 })
    else { throw .model(.invalidKey(key, reason: "it is not three numbers of \(low) to 1")) }
    return numbers
  }
}
