import Foundation
import Kernels
import Testing

#if arch(x86_64)
  import KernelsAVX2
  import KernelsAVX512
#endif

/// The public kernels of one instruction set, as values.
struct KernelVariant: Sendable, CustomTestStringConvertible {
  typealias MultiplyQuantized =
    @Sendable (
      UInt32, UnsafeRawPointer, Int, Int, Int, UnsafePointer<Int8>, UnsafePointer<Float>,
      UnsafePointer<Int32>, Int, UnsafeMutablePointer<Float>, Int, UnsafeMutableRawPointer
    ) -> Void
  typealias MultiplyFloat =
    @Sendable (
      UInt32, UnsafeRawPointer, Int, Int, Int, UnsafePointer<Float>, Int, Int,
      UnsafeMutablePointer<Float>, Int
    ) -> Void
  typealias Attend =
    @Sendable (
      UnsafePointer<Float>, Int, Int, UnsafeRawPointer, UnsafeRawPointer, Int, Bool, Int, Float,
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
    ) -> Void
  typealias ShortConvolution =
    @Sendable (
      UnsafePointer<Float>, Int, Int, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>,
      UnsafeMutablePointer<Float>, Int, Int
    ) -> Void

  let name: String
  let dequantize: @Sendable (UInt32, UnsafeRawPointer, Int, UnsafeMutablePointer<Float>) -> Void
  let quantizeActivations:
    @Sendable (
      UnsafePointer<Float>, Int, UnsafeMutablePointer<Int8>, UnsafeMutablePointer<Float>,
      UnsafeMutablePointer<Int32>
    ) -> Void
  let quantizeRow: @Sendable (UInt32, UnsafePointer<Float>, Int, UnsafeMutableRawPointer) -> Void
  let scratchBytes: @Sendable (Int) -> Int
  let multiplyQuantized: MultiplyQuantized
  let multiplyFloat: MultiplyFloat
  let rmsNorm:
    @Sendable (
      UnsafePointer<Float>, UnsafePointer<Float>, Int, Float, UnsafeMutablePointer<Float>
    ) -> Void
  let addInPlace: @Sendable (UnsafeMutablePointer<Float>, UnsafePointer<Float>, Int) -> Void
  let scaleAdd: @Sendable (UnsafeMutablePointer<Float>, UnsafePointer<Float>, Float, Int) -> Void
  let siluMultiply:
    @Sendable (UnsafePointer<Float>, UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
  let rotate:
    @Sendable (
      UnsafeMutablePointer<Float>, Int, Int, UnsafePointer<Float>, UnsafePointer<Float>, Bool
    ) -> Void
  let softmax: @Sendable (UnsafeMutablePointer<Float>, Int) -> Void
  let floatToHalf: @Sendable (UnsafePointer<Float>, UnsafeMutablePointer<UInt16>, Int) -> Void
  let halfToFloat: @Sendable (UnsafePointer<UInt16>, UnsafeMutablePointer<Float>, Int) -> Void
  let attend: Attend
  let shortConvolution: ShortConvolution

  var testDescription: String { name }
}

extension KernelVariant {
  static let portable = KernelVariant(
    name: "portable", dequantize: Kernels.dequantize,
    quantizeActivations: Kernels.quantizeActivations, quantizeRow: Kernels.quantizeRow,
    scratchBytes: Kernels.multiplyQuantizedScratchBytes,
    multiplyQuantized: Kernels.multiplyQuantized, multiplyFloat: Kernels.multiplyFloat,
    rmsNorm: Kernels.rmsNorm, addInPlace: Kernels.addInPlace, scaleAdd: Kernels.scaleAdd,
    siluMultiply: Kernels.siluMultiply, rotate: Kernels.rotate, softmax: Kernels.softmax,
    floatToHalf: Kernels.floatToHalf, halfToFloat: Kernels.halfToFloat, attend: Kernels.attend,
    shortConvolution: Kernels.shortConvolution)

  #if arch(x86_64)
    static let avx2 = KernelVariant(
      name: "avx2", dequantize: KernelsAVX2.dequantize,
      quantizeActivations: KernelsAVX2.quantizeActivations, quantizeRow: KernelsAVX2.quantizeRow,
      scratchBytes: KernelsAVX2.multiplyQuantizedScratchBytes,
      multiplyQuantized: KernelsAVX2.multiplyQuantized, multiplyFloat: KernelsAVX2.multiplyFloat,
      rmsNorm: KernelsAVX2.rmsNorm, addInPlace: KernelsAVX2.addInPlace,
      scaleAdd: KernelsAVX2.scaleAdd, siluMultiply: KernelsAVX2.siluMultiply,
      rotate: KernelsAVX2.rotate, softmax: KernelsAVX2.softmax,
      floatToHalf: KernelsAVX2.floatToHalf, halfToFloat: KernelsAVX2.halfToFloat,
      attend: KernelsAVX2.attend, shortConvolution: KernelsAVX2.shortConvolution)

    static let avx512 = KernelVariant(
      name: "avx512", dequantize: KernelsAVX512.dequantize,
      quantizeActivations: KernelsAVX512.quantizeActivations,
      quantizeRow: KernelsAVX512.quantizeRow,
      scratchBytes: KernelsAVX512.multiplyQuantizedScratchBytes,
      multiplyQuantized: KernelsAVX512.multiplyQuantized,
      multiplyFloat: KernelsAVX512.multiplyFloat, rmsNorm: KernelsAVX512.rmsNorm,
      addInPlace: KernelsAVX512.addInPlace, scaleAdd: KernelsAVX512.scaleAdd,
      siluMultiply: KernelsAVX512.siluMultiply, rotate: KernelsAVX512.rotate,
      softmax: KernelsAVX512.softmax, floatToHalf: KernelsAVX512.floatToHalf,
      halfToFloat: KernelsAVX512.halfToFloat, attend: KernelsAVX512.attend,
      shortConvolution: KernelsAVX512.shortConvolution)
  #endif

  /// Those this CPU can run, the portable one first.
  static let available: [KernelVariant] = {
    var variants = [portable]
    #if arch(x86_64)
      let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
      let line = facts.split(separator: "\n").first { $0.hasPrefix("flags") } ?? ""
      let flags = Set(line.split(separator: " ").map(String.init))
      if flags.isSuperset(of: ["avx2", "fma", "f16c", "bmi2"]) {
        variants.append(avx2)
      } else {
        print("skipped: this CPU has no AVX2")
      }
      if flags.isSuperset(of: ["avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni"]) {
        variants.append(avx512)
      } else {
        print("skipped: this CPU has no AVX-512 VNNI")
      }
    #endif
    return variants
  }()
}
