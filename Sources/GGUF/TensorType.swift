/// How a tensor's values are stored: one value after the other, or in blocks of quantised weights.
///
/// Which of them a kernel can compute with is the kernels' business; the types here are those whose
/// layout is known, so that any file made of them can be inspected and copied.
public enum TensorType: UInt32, Sendable, Hashable, CaseIterable {
  case F32 = 0
  case F16 = 1
  case Q4_0 = 2
  case Q4_1 = 3
  case Q5_0 = 6
  case Q5_1 = 7
  case Q8_0 = 8
  case Q8_1 = 9
  case Q2_K = 10
  case Q3_K = 11
  case Q4_K = 12
  case Q5_K = 13
  case Q6_K = 14
  case Q8_K = 15
  case I8 = 24
  case I16 = 25
  case I32 = 26
  case I64 = 27
  case F64 = 28
  case BF16 = 30
  case TQ1_0 = 34
  case TQ2_0 = 35
  case MXFP4 = 39

  /// The name as GGUF tools spell it, for instance `Q4_K`.
  public var name: String { String(describing: self) }

  public var isQuantized: Bool { blockSize > 1 }

  /// Weights per block; 1 for the plain number types.
  public var blockSize: Int {
    switch self {
    case .F32, .F16, .BF16, .F64, .I8, .I16, .I32, .I64: 1
    case .Q4_0, .Q4_1, .Q5_0, .Q5_1, .Q8_0, .Q8_1, .MXFP4: 32
    case .Q2_K, .Q3_K, .Q4_K, .Q5_K, .Q6_K, .Q8_K, .TQ1_0, .TQ2_0: 256
    }
  }

  /// Bytes per block.
  public var blockBytes: Int {
    switch self {
    case .I8: 1
    case .F16, .BF16, .I16: 2
    case .F32, .I32: 4
    case .F64, .I64: 8
    case .MXFP4: 17
    case .Q4_0: 18
    case .Q4_1: 20
    case .Q5_0: 22
    case .Q5_1: 24
    case .Q8_0: 34
    case .Q8_1: 36
    case .TQ1_0: 54
    case .TQ2_0: 66
    case .Q2_K: 84
    case .Q3_K: 110
    case .Q4_K: 144
    case .Q5_K: 176
    case .Q6_K: 210
    case .Q8_K: 292
    }
  }

  /// What the address of a tensor's first byte is a multiple of, so that its numbers can be loaded.
  var alignment: Int { isQuantized ? 4 : blockBytes }

  /// The name of a type that exists, or existed, but whose layout is not known here.
  static func nameOfUnsupportedType(_ id: UInt32) -> String? {
    switch id {
    case 4: "Q4_2"
    case 5: "Q4_3"
    case 16: "IQ2_XXS"
    case 17: "IQ2_XS"
    case 18: "IQ3_XXS"
    case 19: "IQ1_S"
    case 20: "IQ4_NL"
    case 21: "IQ3_S"
    case 22: "IQ2_S"
    case 23: "IQ4_XS"
    case 29: "IQ1_M"
    case 31: "Q4_0_4_4"
    case 32: "Q4_0_4_8"
    case 33: "Q4_0_8_8"
    case 36: "IQ4_NL_4_4"
    case 37: "IQ4_NL_4_8"
    case 38: "IQ4_NL_8_8"
    case 40: "NVFP4"
    case 41: "Q1_0"
    case 42: "Q2_0"
    default: nil
    }
  }
}
