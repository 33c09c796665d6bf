/// Where a tensor lies in its file and how it is stored.
public struct TensorInfo: Sendable, Hashable {
  public let name: String
  /// Sizes in GGUF order: `dimensions[0]` is the row length, whose values lie side by side. A size
  /// of 0 is legal in the format; such a tensor has no data.
  public let dimensions: [Int]
  public let type: TensorType
  /// Bytes from the start of the file to the tensor's first byte. The parts of a split model count
  /// as one file, each from the start of a page on.
  public let fileOffset: Int
  /// Bytes of the tensor's data, without padding.
  public let byteCount: Int
  public let elementCount: Int
  /// Rows: the product of all dimensions but the first.
  public let rowCount: Int
  public let rowByteCount: Int

  /// Nil unless there are 1 to 4 dimensions, none negative, the row consists of whole blocks and all
  /// sizes fit in 63 bits.
  public init?(name: String, dimensions: [Int], type: TensorType, fileOffset: Int = 0) {
    guard let size = TensorSize(dimensions, type) else { return nil }
    self.init(name: name, dimensions: dimensions, type: type, fileOffset: fileOffset, size: size)
  }

  /// The tensor of a file whose first byte lies `offset` bytes behind the first one's.
  func moved(by offset: Int) -> TensorInfo? {
    guard let place = fileOffset.adding(offset) else { return nil }
    return TensorInfo(name: name, dimensions: dimensions, type: type, fileOffset: place)
  }

  init(
    name: String, dimensions: [Int], type: TensorType, fileOffset: Int, size: TensorSize
  ) {
    self.name = name
    self.dimensions = dimensions
    self.type = type
    self.fileOffset = fileOffset
    byteCount = size.byteCount
    elementCount = size.elementCount
    rowCount = size.rowCount
    rowByteCount = size.rowByteCount
  }
}

/// The sizes that follow from dimensions and type, computed without overflow.
struct TensorSize {
  let elementCount: Int
  let rowCount: Int
  let rowByteCount: Int
  let byteCount: Int

  static let dimensionCounts = 1...4

  init?(_ dimensions: [Int], _ type: TensorType) {
    guard Self.dimensionCounts.contains(dimensions.count), let rowLength = dimensions.first,
      dimensions.allSatisfy({ $0 >= 0 }), rowLength % type.blockSize == 0,
      let rowCount = dimensions.dropFirst().reduce(1, { $0?.multiplied(by: $1) }),
      let elementCount = rowLength.multiplied(by: rowCount),
      let rowByteCount = (rowLength / type.blockSize).multiplied(by: type.blockBytes),
      let byteCount = rowByteCount.multiplied(by: rowCount)
    else { return nil }
    self.elementCount = elementCount
    self.rowCount = rowCount
    self.rowByteCount = rowByteCount
    self.byteCount = byteCount
  }
}
