import Compute
import GGUF
import Models

/// Reads the tensors of the voice under the names that several converters give them.
struct VoiceTensors {
  private let file: GGUFFile
  private var tensors: TensorLookup

  init(_ file: GGUFFile) {
    self.file = file
    tensors = TensorLookup(file)
  }

  var owned: [AlignedBuffer<Float>] { tensors.owned }

  func exists(_ names: String...) -> Bool { names.contains(where: tensors.exists) }

  /// The dimensions of the first of the names that is there, at least `count` of them.
  func dimensions(_ names: [String], count: Int = 2) throws(SpeechError) -> [Int] {
    for name in names {
      guard let tensor = file.tensor(named: name) else { continue }
      let found = tensor.dimensions
      guard found.count <= count || found[count...].allSatisfy({ $0 == 1 }) else {
        throw .unsupported("another shape of \"\(name)\" than \(found)")
      }
      return found + Array(repeating: 1, count: max(0, count - found.count))
    }
    throw .model(.missingTensor(names: names))
  }

  mutating func vector(_ names: [String], _ count: Int) throws(SpeechError) -> UnsafePointer<Float>
  {
    do { return try tensors.squeezedFloats(names, shape: [count]) } catch { throw .model(error) }
  }

  mutating func matrix(_ names: [String], rows: Int, columns: Int) throws(SpeechError) -> Matrix {
    guard let name = names.first(where: tensors.exists) else {
      throw .model(.missingTensor(names: names))
    }
    do { return try tensors.matrix(name, rows: rows, columns: columns) } catch {
      throw .model(error)
    }
  }

  mutating func table(_ names: [String], _ shape: [Int]) throws(SpeechError) -> UnsafePointer<Float>
  {
    do { return try tensors.squeezedFloats(names, shape: shape) } catch { throw .model(error) }
  }

  /// How many layers have tensors under a prefix.
  func layerCount(_ prefix: String) -> Int {
    let numbers = file.tensors.compactMap { tensor -> Int? in
      guard tensor.name.hasPrefix(prefix) else { return nil }
      return Int(tensor.name.dropFirst(prefix.count).prefix { $0 != "." })
    }
    return (numbers.max() ?? -1) &+ 1
  }

  /// A layer of either transformer, whatever its naming.
  mutating func layer(_ names: VoiceLayerNames, _ shape: VoiceShape) throws(SpeechError)
    -> VoiceLayer
  {
    let (d, f) = (shape.embeddingLength, shape.feedForwardLength)
    return VoiceLayer(
      mixerNorm: try vector(names.mixerNorm, d), mixer: try mixer(names, shape),
      feedForwardNorm: try vector(names.feedForwardNorm, d),
      gate: try matrix(names.gate, rows: f, columns: d),
      up: try matrix(names.up, rows: f, columns: d),
      down: try matrix(names.down, rows: d, columns: f))
  }

  private mutating func mixer(
    _ names: VoiceLayerNames, _ shape: VoiceShape
  ) throws(SpeechError) -> VoiceLayer.Mixer {
    let d = shape.embeddingLength
    if names.convolution.contains(where: tensors.exists) {
      return .convolution(
        input: try matrix(names.convolutionInput, rows: 3 * d, columns: d),
        taps: try table(names.convolution, [shape.convolutionLength, d]),
        output: try matrix(names.convolutionOutput, rows: d, columns: d))
    }
    let (queries, keys) = (
      shape.headCount * shape.headDimension, shape.keyValueHeadCount * shape.headDimension
    )
    let inputs: [Matrix]
    if names.fused.contains(where: tensors.exists) {
      inputs = [try matrix(names.fused, rows: queries + 2 * keys, columns: d)]
    } else {
      inputs = [
        try matrix(names.query, rows: queries, columns: d),
        try matrix(names.key, rows: keys, columns: d),
        try matrix(names.value, rows: keys, columns: d),
      ]
    }
    return .attention(
      VoiceAttention(
        inputs: inputs, queryNorm: try vector(names.queryNorm, shape.headDimension),
        keyNorm: try vector(names.keyNorm, shape.headDimension),
        output: try matrix(names.attentionOutput, rows: d, columns: queries)))
  }
}

/// What the tensors of a layer may be called.
struct VoiceLayerNames {
  var mixerNorm, feedForwardNorm, gate, up, down: [String]
  var convolution: [String] = []
  var convolutionInput: [String] = []
  var convolutionOutput: [String] = []
  var fused: [String] = []
  var query, key, value, queryNorm, keyNorm, attentionOutput: [String]

  /// A layer of the depthformer.
  static func depthformer(_ index: Int) -> VoiceLayerNames {
    let layer = "depthformer.layers.\(index)."
    func names(_ parts: String...) -> [String] { parts.map { layer + $0 + ".weight" } }
    func attention(_ part: String) -> [String] {
      names(
        "operator.attention.\(part)", "operator.bounded_attention.\(part)", "operator.\(part)")
    }
    return VoiceLayerNames(
      mixerNorm: names("operator_norm"), feedForwardNorm: names("ffn_norm"),
      gate: names("feed_forward.w1"), up: names("feed_forward.w3"),
      down: names("feed_forward.w2"), fused: attention("qkv_proj"), query: attention("q_proj"),
      key: attention("k_proj"), value: attention("v_proj"), queryNorm: attention("q_layernorm"),
      keyNorm: attention("k_layernorm"), attentionOutput: attention("out_proj"))
  }

  /// A layer of the detokenizer, in a file of its own or in the vocoder's.
  static func detokenizer(_ index: Int) -> VoiceLayerNames {
    let (own, merged) = ("blk.\(index).", "lfm.layers.\(index).")
    func names(_ name: String, _ long: String) -> [String] {
      [own + name + ".weight", merged + long + ".weight"]
    }
    return VoiceLayerNames(
      mixerNorm: names("attn_norm", "operator_norm"),
      feedForwardNorm: names("ffn_norm", "ffn_norm"), gate: names("ffn_gate", "feed_forward.w1"),
      up: names("ffn_up", "feed_forward.w3"), down: names("ffn_down", "feed_forward.w2"),
      convolution: names("shortconv.conv", "conv.conv"),
      convolutionInput: names("shortconv.in_proj", "conv.in_proj"),
      convolutionOutput: names("shortconv.out_proj", "conv.out_proj"),
      query: names("attn_q", "self_attn.q_proj"), key: names("attn_k", "self_attn.k_proj"),
      value: names("attn_v", "self_attn.v_proj"),
      queryNorm: names("attn_q_norm", "self_attn.q_layernorm"),
      keyNorm: names("attn_k_norm", "self_attn.k_layernorm"),
      attentionOutput: names("attn_output", "self_attn.out_proj"))
  }
}

extension VoiceTensors {
  /// The numbers of a transformer, from the tensors of its first layers.
  func shape(
    _ names: (Int) -> VoiceLayerNames, layers: Int, window: Int, isInterleaved: Bool, rows: Int
  ) throws(SpeechError) -> VoiceShape {
    guard (1...256).contains(layers) else { throw .unsupported("\(layers) layers") }
    let gate = try dimensions(names(0).gate)
    var shape = VoiceShape(
      embeddingLength: gate[0], headDimension: 2, headCount: 1, keyValueHeadCount: 1,
      feedForwardLength: gate[1], window: window, isInterleaved: isInterleaved, rows: rows)
    for index in 0..<layers {
      let layer = names(index)
      if layer.convolution.contains(where: tensorExists) {
        shape.convolutionLength = try dimensions(layer.convolution, count: 3)[0]
        continue
      }
      let dimension = try dimensions(layer.queryNorm)[0]
      guard (2...1_024).contains(dimension), dimension % 2 == 0 else {
        throw .unsupported("heads of \(dimension) numbers")
      }
      shape.headDimension = dimension
      if layer.fused.contains(where: tensorExists) {
        let fused = try dimensions(layer.fused)
        shape.headCount = fused[0] / dimension
        shape.keyValueHeadCount = (fused[1] / dimension - shape.headCount) / 2
      } else {
        shape.headCount = try dimensions(layer.query)[1] / dimension
        shape.keyValueHeadCount = try dimensions(layer.key)[1] / dimension
      }
      break
    }
    for (what, value, range) in [
      ("an embedding length", shape.embeddingLength, 2...16_384),
      ("a feed-forward length", shape.feedForwardLength, 1...131_072),
      ("heads", shape.headCount, 1...1_024), ("key heads", shape.keyValueHeadCount, 1...1_024),
      ("taps", shape.convolutionLength, 1...64), ("positions in the window", window, 1...65_536),
    ] where !range.contains(value) {
      throw .unsupported("\(value) as the number of \(what)")
    }
    guard shape.headCount.isMultiple(of: shape.keyValueHeadCount) else {
      throw .unsupported("\(shape.headCount) heads for \(shape.keyValueHeadCount) key heads")
    }
    return shape
  }

  private func tensorExists(_ name: String) -> Bool { exists(name) }
}
