/// Builds a GGUF file (version 3). The same content always gives the same bytes.
///
/// The data of tensors is produced while it is written, so a file may be far bigger than memory.
/// `general.alignment` in the metadata is followed; without it tensors lie at multiples of 32.
public struct GGUFWriter: Sendable {
  /// Produces a tensor's data from start to end, in pieces of any size.
  public typealias TensorData =
    @Sendable (_ append: (UnsafeRawBufferPointer) throws -> Void) throws -> Void

  public private(set) var metadata: GGUFMetadata
  private var tensors: [(info: TensorInfo, data: TensorData)] = []
  private var tensorNames: Set<String> = []

  public init(metadata: GGUFMetadata = GGUFMetadata()) {
    self.metadata = metadata
  }

  /// Sets the value of a key; a key that is there already keeps its place.
  public mutating func set(_ key: String, _ value: GGUFValue) {
    metadata[key] = value
  }

  /// Adds a tensor whose data `write` produces; it is called once for every writing.
  public mutating func addTensor(
    _ name: String, dimensions: [Int], type: TensorType, write: @escaping TensorData
  ) throws(GGUFError) {
    guard (1...GGUFLimits.tensorNameBytes).contains(name.utf8.count) else {
      throw .notWritable(
        "the tensor name \(name.quoted) must have 1 to \(GGUFLimits.tensorNameBytes) bytes")
    }
    guard !tensorNames.contains(name) else {
      throw .notWritable("there are two tensors named \(name.quoted)")
    }
    guard let info = TensorInfo(name: name, dimensions: dimensions, type: type) else {
      throw .notWritable(
        "tensor \(name.quoted) cannot have the dimensions \(dimensions) and the type \(type.name)")
    }
    tensors.append((info, write))
    tensorNames.insert(name)
  }

  /// Adds a tensor with this data.
  public mutating func addTensor(
    _ name: String, dimensions: [Int], type: TensorType, bytes: [UInt8]
  ) throws(GGUFError) {
    try addTensor(name, dimensions: dimensions, type: type) { append in
      try bytes.withUnsafeBytes(append)
    }
  }

  /// Adds a copy of another file's tensor; the file is kept open.
  public mutating func addTensor(
    _ tensor: TensorInfo, from file: GGUFFile
  ) throws(GGUFError) {
    try addTensor(tensor.name, dimensions: tensor.dimensions, type: tensor.type) { append in
      try append(file.bytes(of: tensor))
    }
  }

  /// Writes the file. It appears under its name only when it is complete; until then, and after an
  /// error, whatever was there stays as it was.
  ///
  /// - Parameter progress: is called with the share written so far, from 0 to 1; what it throws ends
  ///   the writing.
  public func write(
    to path: String, progress: (Double) throws -> Void = { _ in }
  ) throws {
    let output = try OutputFile(path: path)
    try write(progress: progress, into: output.append)
    try output.finish()
  }

  /// The file as bytes.
  public func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try write(progress: { _ in }, into: { bytes.append(contentsOf: $0) })
    return bytes
  }

  private func write(
    progress: (Double) throws -> Void, into append: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let alignment = try alignment()
    let header = try header(alignment: alignment)
    try header.withUnsafeBytes(append)

    let total = tensors.reduce(0.0) { $0 + Double($1.info.byteCount) }
    var done = 0.0
    for (info, data) in tensors {
      try progress(done / max(total, 1))
      var count = 0
      try data { piece in
        count += piece.count
        guard count <= info.byteCount else { throw mismatch(info, count) }
        try append(piece)
      }
      guard count == info.byteCount else { throw mismatch(info, count) }
      try padding(count, alignment).withUnsafeBytes(append)
      done += Double(count)
    }
    try progress(1)
  }

  private func mismatch(_ tensor: TensorInfo, _ given: Int) -> GGUFError {
    .tensorDataMismatch(tensor: tensor.name, expected: tensor.byteCount, given: given)
  }

  private func alignment() throws(GGUFError) -> Int {
    guard let value = try metadata.int("general.alignment") else {
      return GGUFLimits.defaultAlignment
    }
    guard GGUFLimits.isAlignment(value) else { throw .invalidAlignment(value) }
    return value
  }

  /// Everything in front of the data, padded to where it begins.
  private func header(alignment: Int) throws(GGUFError) -> [UInt8] {
    var bytes = Array("GGUF".utf8)
    bytes.append(littleEndian: UInt32(3))
    bytes.append(littleEndian: UInt64(tensors.count))
    bytes.append(littleEndian: UInt64(metadata.count))
    for key in metadata.keys {
      guard (1...GGUFLimits.keyBytes).contains(key.utf8.count) else {
        throw .notWritable(
          "the metadata key \(key.quoted) must have 1 to \(GGUFLimits.keyBytes) bytes")
      }
      guard let value = metadata[key] else { continue }
      bytes.append(lengthPrefixed: key)
      bytes.append(value)
    }

    var dataOffset = 0
    for (info, _) in tensors {
      bytes.append(lengthPrefixed: info.name)
      bytes.append(littleEndian: UInt32(info.dimensions.count))
      for dimension in info.dimensions { bytes.append(littleEndian: UInt64(dimension)) }
      bytes.append(littleEndian: info.type.rawValue)
      bytes.append(littleEndian: UInt64(dataOffset))
      guard let next = dataOffset.adding(info.byteCount)?.rounded(upTo: alignment) else {
        throw .sizeOverflow(tensor: info.name)
      }
      dataOffset = next
    }
    return tensors.isEmpty ? bytes : bytes + padding(bytes.count, alignment)
  }

  private func padding(_ byteCount: Int, _ alignment: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: -byteCount & (alignment - 1))
  }
}

extension [UInt8] {
  /// A metadata value with its type in front.
  fileprivate mutating func append(_ value: GGUFValue) {
    append(littleEndian: value.type.rawValue)
    switch value {
    case .uint8(let value): append(value)
    case .int8(let value): append(littleEndian: value)
    case .uint16(let value): append(littleEndian: value)
    case .int16(let value): append(littleEndian: value)
    case .uint32(let value): append(littleEndian: value)
    case .int32(let value): append(littleEndian: value)
    case .uint64(let value): append(littleEndian: value)
    case .int64(let value): append(littleEndian: value)
    case .float32(let value): append(littleEndian: value.bitPattern)
    case .float64(let value): append(littleEndian: value.bitPattern)
    case .bool(let value): append(value ? 1 : 0)
    case .string(let value): append(lengthPrefixed: value)
    case .array(let array):
      append(littleEndian: array.elementType.rawValue)
      append(littleEndian: UInt64(array.count))
      append(contentsOf: array.view.bytes)
    }
  }
}
