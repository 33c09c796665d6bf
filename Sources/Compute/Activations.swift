/// Rows of activations as the matrix products read them: as floats and, where a quantised matrix
/// wants them, rounded to int8 per 32 values.
public final class Activations: Sendable {
  public let columns: Int

  let values: AlignedBuffer<Float>  // (rows, columns)
  let quantized: AlignedBuffer<Int8>  // (rows, columns)
  let scales: AlignedBuffer<Float>  // (rows, columns / 32)
  let sums: AlignedBuffer<Int32>  // (rows, columns / 16)

  public init(rows: Int, columns: Int) throws(ComputeError) {
    self.columns = columns
    values = try AlignedBuffer(count: rows * columns)
    quantized = try AlignedBuffer(count: rows * columns)
    scales = try AlignedBuffer(count: rows * (columns / 32))
    sums = try AlignedBuffer(count: rows * (columns / 16))
  }

  /// The same memory as rows of another length, for uses that never overlap in time. The caller
  /// sees to it that no more values are used than `other` was made for.
  public init(sharing other: Activations, columns: Int) {
    self.columns = columns
    (values, quantized, scales, sums) = (other.values, other.quantized, other.scales, other.sums)
  }

  /// The float values of one row.
  @inline(__always)
  public func row(_ index: Int) -> UnsafeMutablePointer<Float> {
    values.pointer + index * columns
  }
}
