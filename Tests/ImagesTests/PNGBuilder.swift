/// Writes PNG files without compression.
struct PNGBuilder {
  enum ColourType: Int {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyAlpha = 4
    case rgbAlpha = 6

    var channels: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .rgb: 3
      case .rgbAlpha: 4
      }
    }
  }

  var width: Int
  var height: Int
  /// Row by row, each sample a number of `depth` bits.
  var pixels: [Int]
  var colour = ColourType.rgb
  var depth = 8
  var isInterlaced = false
  /// Between header and data, in this order.
  var chunks: [(type: String, content: [UInt8])] = []
  var textAfterData: [(type: String, content: [UInt8])] = []

  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk(
      "IHDR",
      Self.bigEndian(width) + Self.bigEndian(height)
        + [UInt8(depth), UInt8(colour.rawValue), 0, 0, isInterlaced ? 1 : 0])
    for chunk in chunks { file += Self.chunk(chunk.type, chunk.content) }
    file += Self.chunk("IDAT", Self.zlib(rows))
    for chunk in textAfterData { file += Self.chunk(chunk.type, chunk.content) }
    return file + Self.chunk("IEND", [])
  }

  /// The seven passes of Adam7: first column, first row and the steps.
  private static let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]

  /// The rows with their filter bytes, all of which say "none".
  private var rows: [UInt8] {
    guard !pixels.isEmpty else { return [] }
    var rows: [UInt8] = []
    for (firstColumn, firstRow, columnStep, rowStep) in isInterlaced ? Self.passes : [(0, 0, 1, 1)]
    {
      guard firstColumn < width else { continue }
      for y in stride(from: firstRow, to: height, by: rowStep) {
        rows.append(0)
        var bits = 0
        var bitCount = 0
        for x in stride(from: firstColumn, to: width, by: columnStep) {
          for channel in 0..<colour.channels {
            bits = bits << depth | pixels[(y * width + x) * colour.channels + channel]
            bitCount += depth
            while bitCount >= 8 {
              bitCount -= 8
              rows.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
          }
        }
        if bitCount > 0 { rows.append(UInt8(truncatingIfNeeded: bits << (8 - bitCount))) }
      }
    }
    return rows
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return bigEndian(content.count) + body + checksum(body)
  }

  private static func checksum(_ body: some Sequence<UInt8>) -> [UInt8] {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return bigEndian(Int(~crc))
  }

  /// The file with the checksums of its chunks set right, as far as its chunks can be followed.
  static func withRightChecksums(_ file: [UInt8]) -> [UInt8] {
    var file = file
    var offset = 8
    while offset + 12 <= file.count {
      let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = offset + 8 + length
      guard end + 4 <= file.count else { break }
      file.replaceSubrange(end..<end + 4, with: checksum(file[offset + 4..<end]))
      offset = end + 4
    }
    return file
  }

  /// Stored blocks of at most 65,535 bytes.
  private static func zlib(_ content: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let block = content[start..<min(start + 65535, content.count)]
      start = block.endIndex
      let length = block.count
      stream += [start == content.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
      stream += [UInt8(~length & 255), UInt8(~length >> 8 & 255)]
      stream += block
    } while start < content.count
    var (a, b) = (1, 0)
    for byte in content {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + bigEndian(b << 16 | a)
  }
}
