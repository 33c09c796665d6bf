/// Reads and checks everything in front of the tensors' data, and where that data lies.
///
/// Nothing is allocated from a count before that many records are known to fit into the rest of the
/// file, and no byte of a tensor's data is touched.
struct GGUFParser {
  private(set) var version: UInt32 = 0
  private(set) var alignment = GGUFLimits.defaultAlignment
  /// Which part of a split model this is; nil for a whole one.
  private(set) var part: GGUFPart?
  var metadata = GGUFMetadata()
  var tensors: [TensorInfo] = []
  var tensorPlaces: [String: Int] = [:]

  var cursor: ByteCursor
  /// Bytes of text copied so far.
  private var copiedText = 0

  init(_ view: ByteView) throws(GGUFError) {
    cursor = ByteCursor(view)
    try readMagicAndVersion()
    let tensorCount = try readCount("tensor count", limit: GGUFLimits.tensors)
    let keyCount = try readCount("metadata key count", limit: GGUFLimits.keys)
    try check(keyCount, of: "metadata key count", at: 16)
    try readMetadata(count: keyCount)
    part = try GGUFPart(metadata)
    try readAlignment()
    try check(tensorCount, of: "tensor count", at: 8)
    try readTensors(count: tensorCount)
  }

  private mutating func readMagicAndVersion() throws(GGUFError) {
    let magic = Array("GGUF".utf8)
    let firstBytes = Array(cursor.view.bytes.prefix(magic.count))
    guard firstBytes == magic else { throw .notGGUF(firstBytes: firstBytes) }
    _ = try cursor.bytes(UInt64(magic.count), of: .header("magic"))

    version = try cursor.integer(of: .header("version"))
    // A small number whose low half is zero: its bytes stand in the other order.
    if version != 0, version & 0xFFFF == 0 { throw .bigEndian }
    guard version == 2 || version == 3 else { throw .unsupportedVersion(version) }
  }

  private mutating func readCount(_ name: String, limit: Int) throws(GGUFError) -> Int {
    let offset = cursor.offset
    let count: UInt64 = try cursor.integer(of: .header(name))
    guard count <= limit else {
      throw .tooMany(.header(name), offset: offset, count: count, limit: limit)
    }
    return Int(count)
  }

  /// Refuses a count of records that the rest of the file cannot hold.
  private func check(_ count: Int, of name: String, at offset: Int) throws(GGUFError) {
    let limit = cursor.remaining / GGUFLimits.smallestRecord
    guard count <= limit else {
      throw .tooMany(.header(name), offset: offset, count: UInt64(count), limit: limit)
    }
  }

  private mutating func readAlignment() throws(GGUFError) {
    guard let value = try metadata.int("general.alignment") else { return }
    guard GGUFLimits.isAlignment(value) else { throw .invalidAlignment(value) }
    alignment = value
  }

  /// A name that must not be empty nor longer than `limit` bytes nor anything but UTF-8.
  mutating func readName(_ field: GGUFField, limit: Int) throws(GGUFError) -> String {
    let offset = cursor.offset
    let bytes = try cursor.string(of: field)
    guard bytes.count > 0 else { throw .emptyName(field, offset: offset) }
    guard bytes.count <= limit else {
      throw .nameTooLong(field, offset: offset, length: bytes.count, limit: limit)
    }
    try count(bytes, as: field, at: offset)
    guard let name = String(validating: bytes.bytes, as: UTF8.self) else {
      throw .nameNotUTF8(field, offset: offset)
    }
    return name
  }

  /// A text copied from the file.
  mutating func readText(_ field: GGUFField) throws(GGUFError) -> String {
    let offset = cursor.offset
    let bytes = try cursor.string(of: field)
    try count(bytes, as: field, at: offset)
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  private mutating func count(
    _ text: ByteView, as field: GGUFField, at offset: Int
  ) throws(GGUFError) {
    let limit = GGUFLimits.copiedText
    guard text.count <= limit - copiedText else {
      throw .tooMuchText(field, offset: offset, limit: limit)
    }
    copiedText += text.count
  }
}
