import GGUF

/// Typed, range-checked access to an architecture's metadata keys.
struct MetadataReader {
  let architecture: Architecture
  private let metadata: GGUFMetadata

  init(_ file: GGUFFile) throws(ModelError) {
    metadata = file.metadata
    guard let name = metadata["general.architecture"]?.stringValue else {
      throw .missingKey("general.architecture")
    }
    guard let architecture = Architecture(rawValue: name) else {
      throw .unsupportedArchitecture(name)
    }
    self.architecture = architecture
  }

  /// The key as it stands in the file.
  func key(_ name: String) -> String { "\(architecture.rawValue).\(name)" }

  func text(_ key: String) -> String? { metadata[key]?.stringValue }

  func int(_ name: String, in range: ClosedRange<Int>) throws(ModelError) -> Int {
    guard let value = try intIfPresent(name, in: range) else { throw .missingKey(key(name)) }
    return value
  }

  func intIfPresent(_ name: String, in range: ClosedRange<Int>) throws(ModelError) -> Int? {
    guard let value = metadata[key(name)] else { return nil }
    guard let number = value.intValue else {
      throw .invalidKey(key(name), reason: "it is not a whole number")
    }
    guard range.contains(number) else {
      throw .invalidKey(
        key(name), reason: "\(number) lies outside \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func float(
    _ name: String, default fallback: Float, above low: Float, below high: Float
  ) throws(ModelError) -> Float {
    guard let value = metadata[key(name)] else { return fallback }
    guard let number = value.floatValue.map({ Float($0) }) else {
      throw .invalidKey(key(name), reason: "it is not a number")
    }
    guard number > low, number < high else {
      throw .invalidKey(key(name), reason: "\(number) lies outside \(low) to \(high)")
    }
    return number
  }

  /// Key/value heads per layer. LFM2 files list them, 0 marking a convolution layer; a single
  /// number holds for every layer that has attention tensors.
  func keyValueHeads(layers: Int, heads: Int, tensors: TensorLookup) throws(ModelError) -> [Int] {
    let key = key("attention.head_count_kv")
    var counts: [Int]
    switch metadata[key] {
    case nil: counts = Array(repeating: heads, count: layers)
    case .array(let array)?:
      guard array.count == layers else {
        throw .invalidKey(key, reason: "it lists \(array.count) layers, the model has \(layers)")
      }
      guard let listed = array.ints() else {
        throw .invalidKey(key, reason: "it is not a list of whole numbers")
      }
      counts = listed
    case let value?:
      guard let single = value.intValue else {
        throw .invalidKey(key, reason: "it is not a whole number")
      }
      counts = (0..<layers).map { tensors.isConvolution(layer: $0) ? 0 : single }
    }
    for (layer, count) in counts.enumerated() {
      guard count >= 0, count == 0 || (count <= heads && heads % count == 0) else {
        throw .invalidKey(
          key, reason: "\(count) in layer \(layer) does not divide the \(heads) heads")
      }
      if count == 0 && (architecture == .llama || architecture == .qwen3) {
        throw .invalidKey(key, reason: "layer \(layer) has no heads")
      }
    }
    return counts
  }

  /// The divisor of positions under linear rope scaling, else 1.
  func ropeScale() throws(ModelError) -> Double {
    let key = key("rope.scaling.type")
    guard let type = text(key), type != "none", type != "default" else { return 1 }
    guard type == "linear" else { throw .unsupportedFeature("\"\(type)\" rope scaling") }
    return Double(try float("rope.scaling.factor", default: 1, above: 0, below: .infinity))
  }

  /// Relatives of the supported models that would compute, but wrongly.
  func refuseUnsupported() throws(ModelError) {
    if metadata[key("attention.causal")]?.boolValue == false {
      throw .unsupportedFeature("bidirectional attention (an embedding model)")
    }
    if let window = metadata[key("attention.sliding_window")]?.intValue, window > 0 {
      throw .unsupportedFeature("sliding-window attention")
    }
    if architecture != .lfm2moe, let experts = metadata[key("expert_count")]?.intValue, experts > 0
    {
      throw .unsupportedFeature("experts in the \(architecture.rawValue) architecture")
    }
    if architecture == .lfm2moe, let gate = metadata[key("expert_gating_func")]?.intValue, gate != 2
    {
      throw .unsupportedFeature("an expert gate other than sigmoid")
    }
  }
}
