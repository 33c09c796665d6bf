import GGUF
import Kernels

/// Exact dequantisation outside the hot paths.
public enum Dequantizer {
  /// `count` weights (whole blocks) of a type that `Matrix.supports`, as floats.
  public static func dequantize(
    _ type: TensorType, _ source: UnsafeRawPointer, count: Int,
    into out: UnsafeMutablePointer<Float>
  ) { Kernels.dequantize(type.rawValue, source, count, out) }
}

/// Quantisation of weights, row by row.
public enum Quantizer {
  /// Writes `count` weights (whole blocks) as F16, BF16, Q8_0 or Q4_0.
  public static func quantize(
    _ type: TensorType, _ source: UnsafePointer<Float>, count: Int,
    into out: UnsafeMutableRawPointer
  ) { Kernels.quantizeRow(type.rawValue, source, count, out) }
}
