import CommandLineSupport
import GGUF

/// The types `leap quantize` can write.
enum QuantizationTarget: String, CaseIterable {
  case Q8_0, Q4_0, F16

  init(named name: String) throws {
    if let target = Self.allCases.first(where: { $0.rawValue == name.uppercased() }) {
      self = target
      return
    }
    let list = Self.allCases.map(\.rawValue).joined(separator: ", ")
    throw UsageError.rule(
      "TYPE must be one of \(list), not '\(name)'; other types can be read only.")
  }

  var type: TensorType {
    switch self {
    case .Q8_0: .Q8_0
    case .Q4_0: .Q4_0
    case .F16: .F16
    }
  }

  /// The number in `general.file_type`.
  var fileType: UInt32 {
    switch self {
    case .F16: 1
    case .Q4_0: 2
    case .Q8_0: 7
    }
  }

  /// The type of a tensor in the new file.
  ///
  /// - Parameter isOutput: whether it is the matrix that makes the logits.
  func type(for tensor: TensorInfo, isOutput: Bool) -> TensorType {
    guard Self.isMatrix(tensor) else { return tensor.type }
    let wanted = self == .Q4_0 && isOutput ? .Q8_0 : type
    // Rows that are no whole number of blocks stay readable as F16.
    return tensor.dimensions[0] % wanted.blockSize == 0 ? wanted : .F16
  }

  /// Vectors, norms, convolution taps and routers are small and sensitive: they are kept.
  private static func isMatrix(_ tensor: TensorInfo) -> Bool {
    let kept = ["_norm.weight", "shortconv.conv.weight", "ffn_gate_inp.weight", ".bias"]
    return tensor.dimensions.count(where: { $0 > 1 }) > 1
      && !kept.contains(where: tensor.name.hasSuffix)
  }
}
