import GGUF

/// Which type each tensor has in a file of a given kind; the rules of published LFM2 files.
package enum QuantizationMix: String, CaseIterable, Sendable {
  case F16, BF16, Q8_0, Q6_K, Q5_K_M, Q4_K_M, Q4_0

  /// The number in `general.file_type`.
  var fileType: UInt32 {
    switch self {
    case .F16: 1
    case .Q4_0: 2
    case .Q8_0: 7
    case .Q4_K_M: 15
    case .Q5_K_M: 17
    case .Q6_K: 18
    case .BF16: 32
    }
  }

  /// The type of an ordinary matrix.
  var base: TensorType {
    switch self {
    case .F16: .F16
    case .BF16: .BF16
    case .Q8_0: .Q8_0
    case .Q6_K: .Q6_K
    case .Q5_K_M: .Q5_K
    case .Q4_K_M: .Q4_K
    case .Q4_0: .Q4_0
    }
  }

  func type(of tensor: SyntheticTensor, in shape: SyntheticShape) -> TensorType {
    switch tensor.role {
    case .norm, .bias, .float:
      return .F32
    case .embedding:
      // It is also the output matrix, which smaller mixes keep at six bits.
      return [.F16, .BF16, .Q8_0].contains(self) ? base : .Q6_K
    case .feedForwardDown(let layer):
      return keepsMoreBits(layer, of: shape.layerCount) ? .Q6_K : base
    case .attentionValue(let index):
      return keepsMoreBits(index, of: shape.attentionLayers.count) ? .Q6_K : base
    case .weight:
      return base
    }
  }

  /// The K mixes raise the first and last eighth of the layers and every third between.
  private func keepsMoreBits(_ index: Int, of count: Int) -> Bool {
    guard self == .Q4_K_M || self == .Q5_K_M else { return false }
    return index < count / 8 || index >= 7 * count / 8 || (index - count / 8) % 3 == 2
  }
}
