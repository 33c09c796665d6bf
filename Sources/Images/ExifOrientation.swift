/// How a stored picture has to be turned to stand upright; the raw values are those of the EXIF
/// orientation tag.
enum ExifOrientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirroredHorizontally
  case turnedHalf
  case mirroredVertically
  case transposed
  case turnedRight
  case transversed
  case turnedLeft

  /// Whether stored rows become columns.
  var swapsSides: Bool { rawValue >= 5 }

  /// Whether the upright picture's columns run against the direction of the stored samples.
  var reversesColumns: Bool {
    switch self {
    case .mirroredHorizontally, .turnedHalf, .turnedRight, .transversed: true
    case .upright, .mirroredVertically, .transposed, .turnedLeft: false
    }
  }

  /// Whether the upright picture's rows run against the direction of the stored samples.
  var reversesRows: Bool {
    switch self {
    case .turnedHalf, .mirroredVertically, .transversed, .turnedLeft: true
    case .upright, .mirroredHorizontally, .transposed, .turnedRight: false
    }
  }
}

extension ExifOrientation {
  /// What an EXIF block (a TIFF header and its first directory) says. A block without the tag, or a
  /// damaged one, means an upright picture.
  init(exif: Span<UInt8>) {
    self = Self.tag(in: exif).flatMap(Self.init(rawValue:)) ?? .upright
  }

  private static func tag(in exif: Span<UInt8>) -> Int? {
    let isLittleEndian = exif.has("II".utf8)
    guard isLittleEndian || exif.has("MM".utf8) else { return nil }
    func integer(at offset: Int, size: Int) -> Int? {
      var value = 0
      for index in 0..<size {
        let position = isLittleEndian ? size - 1 - index : index
        guard let byte = exif.byte(at: offset + position) else { return nil }
        value = value << 8 | byte
      }
      return value
    }
    guard integer(at: 2, size: 2) == 42, let directory = integer(at: 4, size: 4),
      let entryCount = integer(at: directory, size: 2)
    else { return nil }
    // An entry: tag, type, number of values, and the value itself where it fits into 4 bytes.
    for entry in 0..<entryCount {
      let offset = directory + 2 + 12 * entry
      guard let tag = integer(at: offset, size: 2) else { return nil }
      guard tag == 0x0112 else { continue }
      guard integer(at: offset + 4, size: 4) == 1 else { return nil }
      return switch integer(at: offset + 2, size: 2) {
      case 3: integer(at: offset + 8, size: 2)
      case 4: integer(at: offset + 8, size: 4)
      default: nil
      }
    }
    return nil
  }
}
