/// Why a GGUF file could not be opened, read or written. Offsets are in bytes from the start of the
/// file.
public enum GGUFError: Error, Sendable, Equatable {
  public enum FileProblem: Sendable, Equatable {
    case doesNotExist
    case isDanglingLink
    case isDirectory
    case isNoRegularFile
    case isNotReadable
    case systemFailure(code: Int32)
  }

  // The file as such.
  case cannotOpen(path: String, FileProblem)
  case systemFailure(operation: String, path: String, code: Int32)
  case fileChanged(path: String)
  /// `limit` is the process's RLIMIT_MEMLOCK in bytes, nil where there is none.
  case lockRefused(path: String, byteCount: Int, limit: Int?, code: Int32)

  // The kind of file.
  case notGGUF(firstBytes: [UInt8])
  case bigEndian
  case unsupportedVersion(UInt32)
  /// Parts are counted from 1.
  case sharded(part: Int?, count: Int)
  case wrongPart(path: String, expected: Int, count: Int)

  // Lengths and counts.
  case truncated(GGUFField, offset: Int, needed: UInt64, remaining: Int)
  case tooMany(GGUFField, offset: Int, count: UInt64, limit: Int)
  case tooMuchText(GGUFField, offset: Int, limit: Int)

  // Names and metadata values.
  case emptyName(GGUFField, offset: Int)
  case nameTooLong(GGUFField, offset: Int, length: Int, limit: Int)
  case nameNotUTF8(GGUFField, offset: Int)
  case duplicateKey(String, offset: Int)
  case duplicateTensor(String, offset: Int)
  case unknownValueType(key: String, id: UInt32, offset: Int)
  case nestedArray(key: String, offset: Int)
  case invalidBool(key: String, byte: UInt8, offset: Int)
  case invalidAlignment(Int)
  case wrongType(key: String, expected: String, found: GGUFValueType)
  case integerOutOfRange(key: String)

  // Tensors.
  case invalidDimensionCount(tensor: String, count: UInt32, offset: Int)
  case invalidDimension(tensor: String, index: Int, value: UInt64, offset: Int)
  case unsupportedTensorType(tensor: String, id: UInt32, name: String?, offset: Int)
  case partialBlock(tensor: String, rowLength: Int, type: TensorType)
  case sizeOverflow(tensor: String)
  case misplacedTensor(tensor: String, dataOffset: UInt64, expected: Int, offset: Int)
  case dataOutsideFile(tensor: String, end: Int, fileByteCount: Int)

  // Writing.
  case notWritable(String)
  case tensorDataMismatch(tensor: String, expected: Int, given: Int)
}
