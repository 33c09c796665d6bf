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
