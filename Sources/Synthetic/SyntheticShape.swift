/// The published dimensions of an LFM2 model, enough to make one with random weights.
package struct SyntheticShape: Sendable {
  package var name: String
  /// As in the names of published files: `350M`.
  var sizeLabel: String
  var embeddingLength: Int
  var layerCount: Int
  /// Layers with attention; the others are short convolutions.
  var attentionLayers: [Int]
  var headCount: Int
  var feedForwardLength: Int
  var experts: Experts?

  struct Experts: Sendable {
    var count: Int
    var usedCount: Int
    var feedForwardLength: Int
    var leadingDenseLayers: Int
  }

  let keyValueHeadCount = 8
  let convolutionLength = 3
  let vocabularySize = 65_536
  let contextLength = 128_000

  var architecture: String { experts == nil ? "lfm2" : "lfm2moe" }
  var headDimension: Int { embeddingLength / headCount }
  var isAttention: [Bool] { (0..<layerCount).map(attentionLayers.contains) }

  package static let all: [SyntheticShape] = [
    SyntheticShape(
      name: "lfm2-350m", sizeLabel: "350M", embeddingLength: 1024, layerCount: 16,
      attentionLayers: [2, 5, 8, 10, 12, 14], headCount: 16, feedForwardLength: 4608),
    SyntheticShape(
      name: "lfm2-700m", sizeLabel: "700M", embeddingLength: 1536, layerCount: 16,
      attentionLayers: [2, 5, 8, 10, 12, 14], headCount: 24, feedForwardLength: 6912),
    SyntheticShape(
      name: "lfm2-1.2b", sizeLabel: "1.2B", embeddingLength: 2048, layerCount: 16,
      attentionLayers: [2, 5, 8, 10, 12, 14], headCount: 32, feedForwardLength: 8192),
    SyntheticShape(
      name: "lfm2-2.6b", sizeLabel: "2.6B", embeddingLength: 2048, layerCount: 30,
      attentionLayers: [2, 5, 9, 13, 17, 21, 24, 27], headCount: 32, feedForwardLength: 10752),
    SyntheticShape(
      name: "lfm2-8b-a1b", sizeLabel: "8B-A1B", embeddingLength: 2048, layerCount: 24,
      attentionLayers: [2, 6, 10, 14, 18, 21], headCount: 32, feedForwardLength: 7168,
      experts: Experts(count: 32, usedCount: 4, feedForwardLength: 1792, leadingDenseLayers: 2)),
  ]

  package static func named(_ name: String) -> SyntheticShape? { all.first { $0.name == name } }
}

extension SyntheticShape {
  /// Every tensor, in the order of converted files.
  var tensors: [SyntheticTensor] {
    let width = embeddingLength
    var tensors = [
      SyntheticTensor(
        name: "token_embd.weight", dimensions: [width, vocabularySize], role: .embedding),
      SyntheticTensor(name: "token_embd_norm.weight", dimensions: [width], role: .norm),
    ]
    var attentionIndex = 0
    for layer in 0..<layerCount {
      func add(_ name: String, _ dimensions: [Int], _ role: SyntheticTensor.Role) {
        tensors.append(
          SyntheticTensor(name: "blk.\(layer).\(name)", dimensions: dimensions, role: role))
      }
      add("attn_norm.weight", [width], .norm)
      add("ffn_norm.weight", [width], .norm)
      if attentionLayers.contains(layer) {
        let keyWidth = keyValueHeadCount * headDimension
        add("attn_q.weight", [width, width], .weight)
        add("attn_k.weight", [width, keyWidth], .weight)
        add("attn_v.weight", [width, keyWidth], .attentionValue(attentionIndex: attentionIndex))
        add("attn_output.weight", [width, width], .weight)
        add("attn_q_norm.weight", [headDimension], .norm)
        add("attn_k_norm.weight", [headDimension], .norm)
        attentionIndex += 1
      } else {
        add("shortconv.conv.weight", [convolutionLength, width], .float)
        add("shortconv.in_proj.weight", [width, 3 * width], .weight)
        add("shortconv.out_proj.weight", [width, width], .weight)
      }
      if let experts, layer >= experts.leadingDenseLayers {
        let inner = experts.feedForwardLength
        add("ffn_gate_inp.weight", [width, experts.count], .float)
        add("exp_probs_b.bias", [experts.count], .bias)
        add("ffn_gate_exps.weight", [width, inner, experts.count], .weight)
        add("ffn_up_exps.weight", [width, inner, experts.count], .weight)
        add("ffn_down_exps.weight", [inner, width, experts.count], .feedForwardDown(layer: layer))
      } else {
        add("ffn_gate.weight", [width, feedForwardLength], .weight)
        add("ffn_up.weight", [width, feedForwardLength], .weight)
        add("ffn_down.weight", [feedForwardLength, width], .feedForwardDown(layer: layer))
      }
    }
    return tensors
  }

  package var parameterCount: Int { tensors.reduce(0) { $0 + $1.elementCount } }
}
