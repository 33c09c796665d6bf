extension GGUFParser {
  /// A tensor's record, before it is known where the data begins.
  private struct Record {
    let name: String
    let dimensions: [Int]
    let type: TensorType
    let size: TensorSize
    /// From the start of all tensors' data.
    let dataOffset: Int
  }

  mutating func readTensors(count: Int) throws(GGUFError) {
    var records: [Record] = []
    var end = 0
    for index in 0..<count {
      let offset = cursor.offset
      let record = try readRecord(number: index + 1, expectedOffset: end)
      guard tensorPlaces.updateValue(index, forKey: record.name) == nil else {
        throw .duplicateTensor(record.name, offset: offset)
      }
      records.append(record)
      guard let next = end.adding(record.size.byteCount)?.rounded(upTo: alignment) else {
        throw .sizeOverflow(tensor: record.name)
      }
      end = next
    }
    try locate(records)
  }

  private mutating func readRecord(
    number: Int, expectedOffset: Int
  ) throws(GGUFError) -> Record {
    let name = try readName(
      .tensorName(number: number), limit: GGUFLimits.tensorNameBytes)
    let dimensions = try readDimensions(tensor: name)
    let type = try readTensorType(tensor: name)
    guard let rowLength = dimensions.first, rowLength % type.blockSize == 0 else {
      throw .partialBlock(tensor: name, rowLength: dimensions.first ?? 0, type: type)
    }
    guard let size = TensorSize(dimensions, type) else { throw .sizeOverflow(tensor: name) }

    let offset = cursor.offset
    let dataOffset: UInt64 = try cursor.integer(of: .tensor(name: name, property: "data offset"))
    guard dataOffset == expectedOffset else {
      throw .misplacedTensor(
        tensor: name, dataOffset: dataOffset, expected: expectedOffset, offset: offset)
    }
    return Record(
      name: name, dimensions: dimensions, type: type, size: size, dataOffset: expectedOffset)
  }

  private mutating func readDimensions(tensor: String) throws(GGUFError) -> [Int] {
    let offset = cursor.offset
    let count: UInt32 = try cursor.integer(
      of: .tensor(name: tensor, property: "dimension count"))
    guard TensorSize.dimensionCounts.contains(Int(count)) else {
      throw .invalidDimensionCount(tensor: tensor, count: count, offset: offset)
    }
    var dimensions: [Int] = []
    for index in 0..<Int(count) {
      let offset = cursor.offset
      let value: UInt64 = try cursor.integer(of: .tensor(name: tensor, property: "dimensions"))
      guard let dimension = Int(exactly: value) else {
        throw .invalidDimension(tensor: tensor, index: index, value: value, offset: offset)
      }
      dimensions.append(dimension)
    }
    return dimensions
  }

  private mutating func readTensorType(tensor: String) throws(GGUFError) -> TensorType {
    let offset = cursor.offset
    let id: UInt32 = try cursor.integer(of: .tensor(name: tensor, property: "type"))
    guard let type = TensorType(rawValue: id) else {
      throw .unsupportedTensorType(
        tensor: tensor, id: id, name: TensorType.nameOfUnsupportedType(id), offset: offset)
    }
    return type
  }

  /// The data begins at the next multiple of the alignment behind the records.
  private mutating func locate(_ records: [Record]) throws(GGUFError) {
    let fileByteCount = cursor.view.count
    let dataStart = cursor.offset.rounded(upTo: alignment)
    for record in records {
      guard let start = dataStart?.adding(record.dataOffset),
        let end = start.adding(record.size.byteCount)
      else { throw .sizeOverflow(tensor: record.name) }
      guard end <= fileByteCount else {
        throw .dataOutsideFile(tensor: record.name, end: end, fileByteCount: fileByteCount)
      }
      tensors.append(
        TensorInfo(
          name: record.name, dimensions: record.dimensions, type: record.type, fileOffset: start,
          size: record.size))
    }
  }
}
