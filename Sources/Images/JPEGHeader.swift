/// What a JPEG file says of its picture before the entropy-coded data starts.
struct JPEGHeader {
  struct Component {
    let identifier: Int
    /// How often the component is sampled, relative to the other components; 1 to 4.
    let horizontalSampling, verticalSampling: Int
  }

  /// As stored, before the orientation is applied.
  var width = 0
  var height = 0
  var isProgressive = false
  var components: [Component] = []
  var orientation = ExifOrientation.upright
  /// The segments before the first scan, markers included.
  var segments: [Range<Int>] = []
  /// Where the first scan's segment (its length field) starts.
  var firstScan = 0
  /// Whether the picture is stored in more than one scan, so that the decoder has to collect the
  /// coefficients of the whole picture.
  var hasManyScans = false

  static let maxSegments = 10_000

  init(_ file: Span<UInt8>) throws(ImageError) {
    var hasExif = false
    var offset = 2
    while let marker = file.jpegMarker(from: offset) {
      switch marker.code {
      case JPEGMarker.startOfImage:
        throw .damaged(.jpeg, reason: "a second picture starts inside its header")
      case JPEGMarker.endOfImage:
        throw .damaged(.jpeg, reason: "it ends before its picture data starts")
      case JPEGMarker.standalone, JPEGMarker.restarts:
        offset = marker.end
        continue
      default:
        break
      }
      guard let segment = file.jpegSegment(at: marker.end) else { break }
      let content = file.extracting(segment)
      switch marker.code {
      case JPEGMarker.huffmanTables, JPEGMarker.arithmeticConditioning:
        break
      case JPEGMarker.frames:
        guard components.isEmpty else {
          throw .damaged(.jpeg, reason: "its header describes two frames")
        }
        try readFrame(content, code: marker.code)
      case JPEGMarker.app1 where !hasExif && content.has("Exif\0\0".utf8):
        hasExif = true
        orientation = ExifOrientation(exif: content.extracting(6..<content.count))
      case JPEGMarker.startOfScan:
        guard !components.isEmpty, let count = content.byte(at: 0) else {
          throw .damaged(.jpeg, reason: "its picture data starts before its frame header")
        }
        firstScan = marker.end
        hasManyScans = isProgressive || count < components.count
        return
      default:
        break
      }
      offset = segment.upperBound
      segments.append(marker.end - 2..<offset)
      guard segments.count <= Self.maxSegments else {
        throw .damaged(.jpeg, reason: "its header has more than \(Self.maxSegments) segments")
      }
    }
    throw .damaged(.jpeg, reason: "it is cut off inside its header")
  }

  private mutating func readFrame(_ frame: Span<UInt8>, code: Int) throws(ImageError) {
    switch code {
    case 0xC0, 0xC1: break
    case 0xC2: isProgressive = true
    case 0xC3, 0xCB: throw .unsupported(.jpeg, feature: "lossless coding")
    case 0xC9, 0xCA: throw .unsupported(.jpeg, feature: "arithmetic coding")
    case 0xC8: throw .unsupported(.jpeg, feature: "an extension of the JPEG format")
    default: throw .unsupported(.jpeg, feature: "hierarchical coding")
    }
    guard let precision = frame.byte(at: 0), let height = frame.bigEndian16(at: 1),
      let width = frame.bigEndian16(at: 3), let count = frame.byte(at: 5)
    else { throw .damaged(.jpeg, reason: "its frame header is too short") }
    guard precision == 8 else {
      throw .unsupported(.jpeg, feature: "samples of \(precision) bits")
    }
    guard height > 0 else {
      throw .unsupported(.jpeg, feature: "no height in its header, where 0 stands for a later DNL")
    }
    guard width > 0 else { throw .badSize(width: width, height: height, sampleCount: 0) }
    guard max(width, height) <= 65_500 else {
      throw .unsupported(.jpeg, feature: "a side of more than 65500 pixels")
    }
    guard [1, 3, 4].contains(count) else {
      throw .unsupported(.jpeg, feature: "\(count) colour components")
    }
    self.width = width
    self.height = height
    for index in 0..<count {
      guard let identifier = frame.byte(at: 6 + 3 * index),
        let sampling = frame.byte(at: 7 + 3 * index),
        (1...4).contains(sampling >> 4), (1...4).contains(sampling & 15)
      else { throw .damaged(.jpeg, reason: "its frame header is invalid") }
      components.append(
        Component(
          identifier: identifier, horizontalSampling: sampling >> 4,
          verticalSampling: sampling & 15))
    }
  }
}
