import GGUF

/// A weight matrix in its file layout: `rows` rows of `columns` weights, y = W x.
///
/// Does not own its memory: whoever makes it keeps the file alive.
public struct Matrix: @unchecked Sendable {
  // Unchecked: the pointer leads to mapped memory that nothing writes.
  public let data: UnsafeRawPointer
  public let type: TensorType
  public let rows: Int
  public let columns: Int
  public let rowBytes: Int

  public init(data: UnsafeRawPointer, type: TensorType, rows: Int, columns: Int, rowBytes: Int) {
    self.data = data
    self.type = type
    self.rows = rows
    self.columns = columns
    self.rowBytes = rowBytes
  }

  /// Whether products round the activations to int8 (unless the variant is `blas`).
  public var isQuantized: Bool {
    switch type {
    case .F32, .F16, .BF16: false
    default: true
    }
  }

  /// The types products exist for.
  public static func supports(_ type: TensorType) -> Bool {
    switch type {
    case .F32, .F16, .BF16, .Q4_0, .Q4_1, .Q5_0, .Q5_1, .Q8_0, .Q2_K, .Q3_K, .Q4_K, .Q5_K, .Q6_K:
      true
    default: false
    }
  }

  /// Rows `range` as a matrix of their own; the caller keeps the range within the matrix.
  public func rows(_ range: Range<Int>) -> Matrix {
    Matrix(
      data: data + range.lowerBound * rowBytes, type: type, rows: range.count, columns: columns,
      rowBytes: rowBytes)
  }

  public var byteCount: Int { rows * rowBytes }
}
