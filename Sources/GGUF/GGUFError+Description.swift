import Foundation

extension GGUFError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  /// One sentence with the cause, the place and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let problem):
      "The model file \(path.quoted) cannot be opened: \(problem)."
    case .systemFailure(let operation, let path, let code):
      "The system could not \(operation) the file \(path.quoted): \(systemText(code))."
    case .fileChanged(let path):
      "The model file \(path.quoted) was changed while it was in use; load it again."
    case .lockRefused(let path, let byteCount, let limit, let code):
      """
      The \(byteCount) bytes of \(path.quoted) cannot be locked in memory: \(systemText(code)) (the \
      limit RLIMIT_MEMLOCK is \(limit.map { "\($0) bytes" } ?? "not set")); raise it as the \
      superuser, for example with 'ulimit -l unlimited', or load without locking.
      """

    case .notGGUF(let firstBytes): notGGUFDescription(firstBytes)
    case .bigEndian:
      "The GGUF file is big-endian, which is not supported; get the little-endian file."
    case .unsupportedVersion(let version):
      """
      The file has GGUF version \(version) at byte 4, but only versions 2 and 3 can be read; \
      convert it with current tools.
      """
    case .sharded(let part, let count):
      """
      The file is \(part.map { "part \($0) of \(count)" } ?? "one of \(count) parts") of a \
      split model, which is loaded through its first part, NAME-00001-of-\
      \(GGUFPart.digits(count)).gguf, with all parts in one \
      folder; give that file.
      """
    case .wrongPart(let path, let expected, let count):
      """
      The file \(path.quoted) should be part \(expected) of \(count) of a split model, but says \
      otherwise; get the parts again.
      """

    case .truncated(let field, let offset, let needed, let remaining):
      """
      The file is cut off or damaged: \(field) at byte \(offset) has a length of \(needed) bytes, \
      which exceeds the remaining \(remaining) bytes; get the file again.
      """
    case .tooMany(let field, let offset, let count, let limit):
      """
      The file is cut off or damaged: \(field) at byte \(offset) is \(count), but at most \(limit) \
      are possible; get the file again.
      """
    case .tooMuchText(let field, let offset, let limit):
      """
      The metadata holds too much text: with \(field) at byte \(offset) it exceeds \(limit) bytes; \
      get the file from another source.
      """

    case .emptyName(let field, let offset): damaged("\(field) at byte \(offset) is empty")
    case .nameTooLong(let field, let offset, let length, let limit):
      damaged("\(field) at byte \(offset) has \(length) bytes, more than the allowed \(limit)")
    case .nameNotUTF8(let field, let offset): damaged("\(field) at byte \(offset) is not UTF-8")
    case .duplicateKey(let key, let offset):
      damaged("the metadata key \(key.quoted) comes a second time at byte \(offset)")
    case .duplicateTensor(let name, let offset):
      damaged("the tensor \(name.quoted) comes a second time at byte \(offset)")
    case .unknownValueType(let key, let id, let offset):
      damaged(
        "the value of metadata key \(key.quoted) has the unknown type \(id) at byte \(offset)")
    case .nestedArray(let key, let offset):
      damaged(
        "the value of metadata key \(key.quoted) at byte \(offset) is an array of arrays, which "
          + "GGUF does not allow")
    case .invalidBool(let key, let byte, let offset):
      damaged(
        "the value of metadata key \(key.quoted) has the byte \(byte) at byte \(offset), where "
          + "only 0 (false) and 1 (true) are allowed")
    case .invalidAlignment(let alignment):
      damaged(
        "the value of metadata key 'general.alignment' is \(alignment), but must be a power of "
          + "two up to \(GGUFLimits.alignment)")
    case .wrongType(let key, let expected, let found):
      "The value of metadata key \(key.quoted) is of type \(found), but must be \(expected)."
    case .integerOutOfRange(let key):
      "The value of metadata key \(key.quoted) is a bigger integer than can be handled."

    case .invalidDimensionCount(let tensor, let count, let offset):
      damaged(
        "tensor \(tensor.quoted) has \(count) dimensions at byte \(offset), but must have 1 to 4")
    case .invalidDimension(let tensor, let index, let value, let offset):
      damaged(
        "dimension \(index) of tensor \(tensor.quoted) at byte \(offset) is \(value), which is "
          + "too big")
    case .unsupportedTensorType(let tensor, let id, let name, let offset):
      """
      Tensor \(tensor.quoted) has the \(name.map { "unsupported type \($0) (id \(id))" }
        ?? "unknown type id \(id)") at byte \(offset); use a file quantised to another type, for \
      instance Q4_0, Q4_K_M or Q8_0.
      """
    case .partialBlock(let tensor, let rowLength, let type):
      damaged(
        "the rows of tensor \(tensor.quoted) have \(rowLength) values, which is no multiple of "
          + "the \(type.blockSize) in a block of \(type.name)")
    case .sizeOverflow(let tensor):
      damaged("the size of tensor \(tensor.quoted) is bigger than any file")
    case .misplacedTensor(let tensor, let dataOffset, let expected, let offset):
      damaged(
        "the data offset of tensor \(tensor.quoted) at byte \(offset) is \(dataOffset), but "
          + "must be \(expected), where the tensors before it end")
    case .dataOutsideFile(let tensor, let end, let fileByteCount):
      """
      The file is cut off: the data of tensor \(tensor.quoted) ends at byte \(end), but the file \
      has only \(fileByteCount) bytes; get the file again.
      """

    case .notWritable(let problem): "The file cannot be written: \(problem)."
    case .tensorDataMismatch(let tensor, let expected, let given):
      "Tensor \(tensor.quoted) takes \(expected) bytes, but \(given) were given to be written."
    }
  }

  private func damaged(_ cause: String) -> String {
    "The file is damaged: \(cause); get the file again."
  }

  private func notGGUFDescription(_ firstBytes: [UInt8]) -> String {
    let hint =
      switch firstBytes.first {
      case UInt8(ascii: "<"): ": it looks like a web page"
      case UInt8(ascii: "{"): ": it looks like JSON, perhaps a server's error message"
      case nil: ": it is empty"
      default: ""
      }
    let shown =
      firstBytes.isEmpty
      ? "no bytes at all"
      : "'" + firstBytes.map { Unicode.Scalar($0).escaped(asASCII: true) }.joined() + "'"
    return """
      The file is not a GGUF file\(hint); it begins with \(shown) instead of 'GGUF', so download \
      the model file itself.
      """
  }
}

extension GGUFError.FileProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .doesNotExist: "it does not exist, so check the path"
    case .isDanglingLink: "it is a link to a file that does not exist"
    case .isDirectory: "it is a folder, so name the .gguf file inside it"
    case .isNoRegularFile: "it is not a regular file"
    case .isNotReadable: "reading it is not permitted"
    case .systemFailure(let code): systemText(code)
    }
  }
}

private func systemText(_ code: Int32) -> String {
  String(cString: strerror(code))
}
