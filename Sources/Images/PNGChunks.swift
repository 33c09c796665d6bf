/// A PNG file reduced to what its pixels are made of.
///
/// The chunks of colour management (`gAMA`, `iCCP` and others) are left out so that samples stay as
/// they are stored, `tRNS` because transparency is not wanted, and all others because the decoder
/// then has no need to unpack them.
struct PNGChunks {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var hasAlpha = false
  private(set) var orientation = ExifOrientation.upright
  /// The signature and the chunks that are kept.
  private(set) var reducedFile = ImageFormat.pngSignature

  init(_ file: Span<UInt8>) throws(ImageError) {
    reducedFile.reserveCapacity(file.count)
    var offset = reducedFile.count
    while let length = file.bigEndian32(at: offset) {
      // A chunk: the length of its content, four letters, the content, a checksum.
      let content = offset + 8
      let end = content + length + 4
      guard end <= file.count else { break }
      let type = file.extracting(offset + 4..<content)
      let isFirst = offset == ImageFormat.pngSignature.count
      guard isFirst == type.has("IHDR".utf8) else {
        throw .damaged(.png, reason: "its header chunk is missing or in the wrong place")
      }
      if isFirst {
        try readHeader(file.extracting(content..<content + length))
      } else if type.has("eXIf".utf8) {
        orientation = ExifOrientation(exif: file.extracting(content..<content + length))
      }
      if isFirst || ["PLTE", "IDAT", "IEND"].contains(where: { type.has($0.utf8) }) {
        file.extracting(offset..<end).withUnsafeBufferPointer {
          reducedFile.append(contentsOf: $0)
        }
      } else if let letter = type.byte(at: 0), letter & 0x20 == 0 {
        throw .unsupported(.png, feature: "a critical chunk of an unknown type")
      }
      if type.has("IEND".utf8) { return }
      offset = end
    }
    throw .damaged(.png, reason: "it is cut off")
  }

  private mutating func readHeader(_ header: Span<UInt8>) throws(ImageError) {
    guard let width = header.bigEndian32(at: 0), let height = header.bigEndian32(at: 4),
      let depth = header.byte(at: 8), let colourType = header.byte(at: 9),
      let interlacing = header.byte(at: 12), header.count == 13
    else { throw .damaged(.png, reason: "its header chunk has a wrong length") }
    guard width > 0, height > 0 else {
      throw .badSize(width: width, height: height, sampleCount: 0)
    }
    // libpng's simplified reader gets these wrong: before 1.6.51 it writes outside the buffer
    // (CVE-2025-65018), since then rows of different passes are mixed up.
    guard depth < 16 || interlacing == 0 else {
      throw .unsupported(.png, feature: "interlaced samples of 16 bits")
    }
    self.width = width
    self.height = height
    hasAlpha = colourType & 4 != 0
  }
}
