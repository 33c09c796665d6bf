/// How the matrix products and vector operations are computed.
///
/// `scalar`, `portable`, `avx2` and `avx512` share one arithmetic contract for quantised weights:
/// activations are rounded to int8 per 32 values, block sums are exact integers, and blocks are
/// added in order, so all four give the same bits. `blas` multiplies dequantised weights with
/// float activations through OpenBLAS (Accelerate on Apple platforms): slower to decode, but free
/// of activation rounding, which makes it the oracle for the model code.
public enum KernelVariant: String, Sendable, CaseIterable {
  case scalar, portable, avx2, avx512, blas

  /// Whether this machine can run the variant.
  public var isAvailable: Bool {
    switch self {
    case .scalar, .portable: true
    case .blas: BLAS.isAvailable
    case .avx2: CPUFeatures.current.hasAVX2
    case .avx512: CPUFeatures.current.hasAVX512VNNI
    }
  }

  /// The fastest variant this machine can run.
  public static var best: KernelVariant {
    if KernelVariant.avx512.isAvailable { return .avx512 }
    return KernelVariant.avx2.isAvailable ? .avx2 : .portable
  }

  /// The variants this machine can run.
  public static var available: [KernelVariant] { allCases.filter(\.isAvailable) }
}
