/// The first bytes of a snapshot file.
///
///     0  magic                    40  layers              72  checksums of the five sections
///     8  byte order, version      44  head dimension     112  0
///    16  identity (16 bytes)      48  convolution count  120  checksum of bytes 0 to 119
///    32  bytes of an element      56  tokens
///    36  flags                    64  attachment bytes
///
/// The sections follow: key/value heads per layer (UInt32), attachment, tokens (Int32), keys and
/// values per attention layer (heads, tokens, head dimension), convolution states (Float). Numbers
/// and states are as the machine has them, which the byte-order mark tells.
struct SnapshotHeader: Sendable, Equatable {
  /// To be raised whenever the layout changes, or the arithmetic that made the numbers.
  static let version: UInt32 = 1
  static let byteCount = 128
  static let magic: [UInt8] = [0x8C] + Array("LEAPKV".utf8) + [0x1A]
  static let byteOrder: UInt32 = 0x0102_0304
  static let sections: [SnapshotError.Section] = [
    .layers, .attachment, .tokens, .rows, .convolutions,
  ]

  static let maximumLayers = 4_096
  static let maximumAttachment = 1 << 30

  var identity: ContentHash
  var elementBytes: Int
  /// The convolution states belong to the last token; else they must be rebuilt.
  var isComplete: Bool
  var layerCount: Int
  var headDimension: Int
  var convolutionCount: Int
  var tokenCount: Int
  var attachmentCount: Int
  /// In the order of `sections`.
  var checksums: [UInt64]

  /// Reads and checks `byteCount` bytes.
  init(_ bytes: [UInt8]) throws(SnapshotError) {
    guard bytes.prefix(8).elementsEqual(Self.magic) else { throw .notASnapshot }
    guard bytes.count >= Self.byteCount else {
      throw .wrongSize(expected: Self.byteCount, found: bytes.count)
    }
    func u32(_ offset: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    func u64(_ offset: Int) -> UInt64 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }
    guard u32(8) != Self.byteOrder.byteSwapped else { throw .foreignByteOrder }
    guard u32(8) == Self.byteOrder else { throw .damaged(.header) }
    guard u32(12) == Self.version else {
      throw .otherVersion(found: Int(u32(12)), known: Int(Self.version))
    }
    guard u64(120) == ContentHash(Array(bytes[..<120])).low else {
      throw .damaged(.header)
    }
    identity = ContentHash(high: u64(16), low: u64(24))
    elementBytes = Int(u32(32))
    isComplete = u32(36) & 1 != 0
    layerCount = Int(u32(40))
    headDimension = Int(u32(44))
    convolutionCount = Int(clamping: u64(48))
    tokenCount = Int(clamping: u64(56))
    attachmentCount = Int(clamping: u64(64))
    checksums = Self.sections.indices.map { u64(72 + 8 * $0) }
    guard elementBytes == 2 || elementBytes == 4, layerCount <= Self.maximumLayers,
      attachmentCount <= Self.maximumAttachment
    else { throw .damaged(.header) }
  }

  init(
    _ shape: SnapshotShape, identity: ContentHash, tokenCount: Int, isComplete: Bool,
    attachmentCount: Int
  ) {
    self.identity = identity
    elementBytes = shape.elementBytes
    self.isComplete = isComplete
    layerCount = shape.keyValueHeads.count
    headDimension = shape.headDimension
    convolutionCount = shape.convolutionCount
    self.tokenCount = tokenCount
    self.attachmentCount = attachmentCount
    checksums = Array(repeating: 0, count: Self.sections.count)
  }

  /// The `byteCount` bytes of the file.
  var bytes: [UInt8] {
    var bytes = Self.magic
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
    append(Self.byteOrder)
    append(Self.version)
    append(identity.high)
    append(identity.low)
    append(UInt32(truncatingIfNeeded: elementBytes))
    append(UInt32(isComplete ? 1 : 0))
    append(UInt32(truncatingIfNeeded: layerCount))
    append(UInt32(truncatingIfNeeded: headDimension))
    append(UInt64(truncatingIfNeeded: convolutionCount))
    append(UInt64(truncatingIfNeeded: tokenCount))
    append(UInt64(truncatingIfNeeded: attachmentCount))
    for checksum in checksums { append(checksum) }
    append(UInt64(0))
    append(ContentHash(bytes).low)
    return bytes
  }
}
