import Kernels

#if canImport(KernelsAVX2)
  import KernelsAVX2
  import KernelsAVX512
#endif

/// The kernel functions of one variant. Their meaning, shapes and arithmetic are documented where
/// they are written, in `Sources/Kernels`.
struct KernelTable: Sendable {
  typealias Floats = UnsafePointer<Float>
  typealias MutableFloats = UnsafeMutablePointer<Float>

  let dequantize: @Sendable (UInt32, UnsafeRawPointer, Int, MutableFloats) -> Void
  let quantizeActivations:
    @Sendable (Floats, Int, UnsafeMutablePointer<Int8>, MutableFloats, UnsafeMutablePointer<Int32>)
      -> Void
  let multiplyQuantized:
    @Sendable (
      UInt32, UnsafeRawPointer, Int, Int, Int, UnsafePointer<Int8>, Floats, UnsafePointer<Int32>,
      Int, MutableFloats, Int, UnsafeMutableRawPointer
    ) -> Void
  let multiplyFloat:
    @Sendable (
      UInt32, UnsafeRawPointer, Int, Int, Int, Floats, Int, Int, MutableFloats, Int
    ) -> Void
  let rmsNorm: @Sendable (Floats, Floats, Int, Float, MutableFloats) -> Void
  let addInPlace: @Sendable (MutableFloats, Floats, Int) -> Void
  let scaleAdd: @Sendable (MutableFloats, Floats, Float, Int) -> Void
  let siluMultiply: @Sendable (Floats, Floats, MutableFloats, Int) -> Void
  let rotate: @Sendable (MutableFloats, Int, Int, Floats, Floats, Bool) -> Void
  let floatToHalf: @Sendable (Floats, UnsafeMutablePointer<UInt16>, Int) -> Void
  let attend:
    @Sendable (
      Floats, Int, Int, UnsafeRawPointer, UnsafeRawPointer, Int, Bool, Int, Float, MutableFloats,
      MutableFloats
    ) -> Void
  let shortConvolution:
    @Sendable (Floats, Int, Int, Floats, Int, MutableFloats, MutableFloats, Int, Int) -> Void
  let scratchBytes: @Sendable (Int) -> Int
  let layerNorm: @Sendable (Floats, Floats, Floats, Int, Float, MutableFloats) -> Void
  let geluTanh: @Sendable (MutableFloats, Int) -> Void
  let geluErf: @Sendable (MutableFloats, Int) -> Void
  let multiplyDense:
    @Sendable (
      UInt32, UnsafeRawPointer, Int, Int, Int, Floats, Int, Int, Floats?, MutableFloats, Int,
      UnsafeMutableRawPointer
    ) -> Void
  let multiplyDenseScratchBytes: @Sendable (Int) -> Int
  let attendDense:
    @Sendable (
      Floats, Int, Floats, Floats, Int, Int, Int, Float, MutableFloats, Int, MutableFloats,
      () -> Bool
    ) -> Void
  let attendDenseScratchFloats: @Sendable (Int, Int) -> Int
  let attendRelative:
    @Sendable (
      Floats, Int, Floats, Int, Int, Int, Floats, Floats, Int, Floats, Int, Int, Int, Float,
      MutableFloats, Int, MutableFloats, () -> Bool
    ) -> Void
  let attendRelativeScratchFloats: @Sendable (Int, Int) -> Int
  let sigmoidMultiply: @Sendable (Floats, Floats, MutableFloats, Int) -> Void
  let multiplyAdd: @Sendable (MutableFloats, Floats, Floats, Int) -> Void
}

extension KernelTable {
  /// The table of a variant this machine can run; `blas` uses the fastest vector operations.
  static func table(for variant: KernelVariant) -> KernelTable {
    switch variant {
    case .scalar: scalar
    case .portable: portable
    #if canImport(KernelsAVX2)
      case .avx2: avx2
      case .avx512: avx512
    #else
      case .avx2, .avx512: portable
    #endif
    case .blas: table(for: .best)
    }
  }

  private static let scalar = KernelTable(
    dequantize: Kernels.dequantize,
    quantizeActivations: Kernels.quantizeActivations,
    multiplyQuantized: Kernels.scalarMultiplyQuantized,
    multiplyFloat: ScalarOperations.multiplyFloat,
    rmsNorm: ScalarOperations.rmsNorm,
    addInPlace: Kernels.addInPlace,
    scaleAdd: Kernels.scaleAdd,
    siluMultiply: ScalarOperations.siluMultiply,
    rotate: ScalarOperations.rotate,
    floatToHalf: Kernels.floatToHalf,
    attend: ScalarOperations.attend,
    shortConvolution: ScalarOperations.shortConvolution,
    scratchBytes: Kernels.multiplyQuantizedScratchBytes,
    layerNorm: ScalarOperations.layerNorm,
    geluTanh: ScalarOperations.geluTanh,
    geluErf: ScalarOperations.geluErf,
    multiplyDense: ScalarOperations.multiplyDense,
    multiplyDenseScratchBytes: { _ in 0 },
    attendDense: ScalarOperations.attendDense,
    attendDenseScratchFloats: { positions, _ in positions },
    attendRelative: ScalarOperations.attendRelative,
    attendRelativeScratchFloats: { positions, _ in positions },
    sigmoidMultiply: ScalarOperations.sigmoidMultiply,
    multiplyAdd: Kernels.multiplyAdd)

  private static let portable = KernelTable(
    dequantize: Kernels.dequantize,
    quantizeActivations: Kernels.quantizeActivations,
    multiplyQuantized: Kernels.multiplyQuantized,
    multiplyFloat: Kernels.multiplyFloat,
    rmsNorm: Kernels.rmsNorm,
    addInPlace: Kernels.addInPlace,
    scaleAdd: Kernels.scaleAdd,
    siluMultiply: Kernels.siluMultiply,
    rotate: Kernels.rotate,
    floatToHalf: Kernels.floatToHalf,
    attend: Kernels.attend,
    shortConvolution: Kernels.shortConvolution,
    scratchBytes: Kernels.multiplyQuantizedScratchBytes,
    layerNorm: Kernels.layerNorm,
    geluTanh: Kernels.geluTanh,
    geluErf: Kernels.geluErf,
    multiplyDense: Kernels.multiplyDense,
    multiplyDenseScratchBytes: Kernels.multiplyDenseScratchBytes,
    attendDense: Kernels.attendDense,
    attendDenseScratchFloats: Kernels.attendDenseScratchFloats,
    attendRelative: Kernels.attendRelative,
    attendRelativeScratchFloats: Kernels.attendRelativeScratchFloats,
    sigmoidMultiply: Kernels.sigmoidMultiply,
    multiplyAdd: Kernels.multiplyAdd)

  #if canImport(KernelsAVX2)
    private static let avx2 = KernelTable(
      dequantize: KernelsAVX2.dequantize,
      quantizeActivations: KernelsAVX2.quantizeActivations,
      multiplyQuantized: KernelsAVX2.multiplyQuantized,
      multiplyFloat: KernelsAVX2.multiplyFloat,
      rmsNorm: KernelsAVX2.rmsNorm,
      addInPlace: KernelsAVX2.addInPlace,
      scaleAdd: KernelsAVX2.scaleAdd,
      siluMultiply: KernelsAVX2.siluMultiply,
      rotate: KernelsAVX2.rotate,
      floatToHalf: KernelsAVX2.floatToHalf,
      attend: KernelsAVX2.attend,
      shortConvolution: KernelsAVX2.shortConvolution,
      scratchBytes: KernelsAVX2.multiplyQuantizedScratchBytes,
      layerNorm: KernelsAVX2.layerNorm,
      geluTanh: KernelsAVX2.geluTanh,
      geluErf: KernelsAVX2.geluErf,
      multiplyDense: KernelsAVX2.multiplyDense,
      multiplyDenseScratchBytes: KernelsAVX2.multiplyDenseScratchBytes,
      attendDense: KernelsAVX2.attendDense,
      attendDenseScratchFloats: KernelsAVX2.attendDenseScratchFloats,
      attendRelative: KernelsAVX2.attendRelative,
      attendRelativeScratchFloats: KernelsAVX2.attendRelativeScratchFloats,
      sigmoidMultiply: KernelsAVX2.sigmoidMultiply,
      multiplyAdd: KernelsAVX2.multiplyAdd)

    private static let avx512 = KernelTable(
      dequantize: KernelsAVX512.dequantize,
      quantizeActivations: KernelsAVX512.quantizeActivations,
      multiplyQuantized: KernelsAVX512.multiplyQuantized,
      multiplyFloat: KernelsAVX512.multiplyFloat,
      rmsNorm: KernelsAVX512.rmsNorm,
      addInPlace: KernelsAVX512.addInPlace,
      scaleAdd: KernelsAVX512.scaleAdd,
      siluMultiply: KernelsAVX512.siluMultiply,
      rotate: KernelsAVX512.rotate,
      floatToHalf: KernelsAVX512.floatToHalf,
      attend: KernelsAVX512.attend,
      shortConvolution: KernelsAVX512.shortConvolution,
      scratchBytes: KernelsAVX512.multiplyQuantizedScratchBytes,
      layerNorm: KernelsAVX512.layerNorm,
      geluTanh: KernelsAVX512.geluTanh,
      geluErf: KernelsAVX512.geluErf,
      multiplyDense: KernelsAVX512.multiplyDense,
      multiplyDenseScratchBytes: KernelsAVX512.multiplyDenseScratchBytes,
      attendDense: KernelsAVX512.attendDense,
      attendDenseScratchFloats: KernelsAVX512.attendDenseScratchFloats,
      attendRelative: KernelsAVX512.attendRelative,
      attendRelativeScratchFloats: KernelsAVX512.attendRelativeScratchFloats,
      sigmoidMultiply: KernelsAVX512.sigmoidMultiply,
      multiplyAdd: KernelsAVX512.multiplyAdd)
  #endif
}
