import Compute
import GGUF

/// A model's weights, ready to be evaluated. Immutable: any number of evaluators may share it.
///
/// Matrices are used where they lie in the mapped file; only vectors are copied.
public final class Model: Sendable {
  public let configuration: ModelConfiguration
  /// Deviations that were repaired, and tensors that were ignored, as readable sentences.
  public let warnings: [String]
  public let file: GGUFFile

  let embedding: Matrix  // (vocabulary, d)
  let output: Matrix  // (vocabulary, d); the embedding when tied
  let outputNorm: SharedPointer  // (d)
  let ropeDivisors: SharedPointer?  // (ropeDimension / 2)
  let layers: [LayerWeights]
  private let owned: [AlignedBuffer<Float>]

  /// Reads the configuration and finds every tensor; no weight is converted or copied but vectors.
  public static func load(_ file: GGUFFile) throws(ModelError) -> Model {
    try Model(file)
  }

  private init(_ file: GGUFFile) throws(ModelError) {
    var tensors = TensorLookup(file)
    let configuration = try ModelConfiguration(file, tensors: &tensors)
    let d = configuration.embeddingLength
    let vocabulary = configuration.vocabularySize

    embedding = try tensors.matrix("token_embd.weight", rows: vocabulary, columns: d)
    output =
      tensors.exists("output.weight")
      ? try tensors.matrix("output.weight", rows: vocabulary, columns: d) : embedding
    // LFM2 calls its final norm after the embedding; some converters wrote the usual name.
    let finalNorm =
      configuration.isLFM2
      ? try tensors.floats("token_embd_norm.weight", "output_norm.weight", shape: [d])
      : try tensors.floats("output_norm.weight", shape: [d])
    outputNorm = SharedPointer(finalNorm)
    ropeDivisors =
      tensors.exists("rope_freqs.weight")
      ? SharedPointer(
        try tensors.floats("rope_freqs.weight", shape: [configuration.ropeDimension / 2])) : nil
    var layers: [LayerWeights] = []
    for index in 0..<configuration.layerCount {
      layers.append(try tensors.layer(index, configuration))
    }
    self.layers = layers
    self.configuration = configuration
    self.file = file
    warnings = tensors.warnings + tensors.unusedWarning()
    owned = tensors.owned
  }
}

/// A pointer to floats that are written once, before it is shared.
struct SharedPointer: @unchecked Sendable {
  let pointer: UnsafePointer<Float>
  init(_ pointer: UnsafePointer<Float>) { self.pointer = pointer }
}

extension ModelConfiguration {
  var isLFM2: Bool { architecture == .lfm2 || architecture == .lfm2moe }

  /// Width of the concatenated query heads.
  var queryLength: Int { headCount * headDimension }
}
