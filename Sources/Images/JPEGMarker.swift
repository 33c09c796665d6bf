/// The marker codes of JPEG files that have a meaning here.
enum JPEGMarker {
  static let standalone = 0x01
  static let restarts = 0xD0...0xD7
  static let startOfImage = 0xD8
  static let endOfImage = 0xD9
  static let startOfScan = 0xDA
  static let app1 = 0xE1

  /// Start of frame, whose code tells the kind of coding; the range also holds DHT, JPG and DAC.
  static let frames = 0xC0...0xCF
  static let huffmanTables = 0xC4
  static let arithmeticConditioning = 0xCC
}

extension Span<UInt8> {
  /// The next JPEG marker at or after `offset` and where it ends, or nil at the end of the file.
  /// Passes over anything else: entropy-coded data with its stuffed zeros, fill bytes, garbage.
  func jpegMarker(from offset: Int) -> (code: Int, end: Int)? {
    var position = offset
    while position + 1 < count {
      let next = self[position + 1]
      if self[position] == 0xFF, next != 0x00, next != 0xFF {
        return (Int(next), position + 2)
      }
      position += 1
    }
    return nil
  }

  /// The content of the segment whose length field stands at `offset`, or nil if it is cut off.
  func jpegSegment(at offset: Int) -> Range<Int>? {
    guard let length = bigEndian16(at: offset), length >= 2, offset + length <= count else {
      return nil
    }
    return offset + 2..<offset + length
  }
}
