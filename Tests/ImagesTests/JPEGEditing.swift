/// JPEG files changed byte by byte, so that no encoder is needed.
struct JPEGEditing {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Where the first marker with this code starts.
  func marker(_ code: UInt8) -> Int? {
    bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == code }
  }

  /// Where the markers with this code start, each followed by its segment.
  func markers(_ code: UInt8) -> [Int] {
    bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == code }
  }

  /// Where the frame header starts; the baseline or the progressive one.
  var frame: Int? { marker(0xC0) ?? marker(0xC2) }

  /// The length of the segment whose marker starts at `offset`, without the marker.
  func segmentLength(at offset: Int) -> Int {
    Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
  }

  /// A segment right after the start of the image.
  mutating func insertSegment(_ code: UInt8, _ content: [UInt8]) {
    let length = content.count + 2
    bytes.insert(
      contentsOf: [0xFF, code, UInt8(length >> 8), UInt8(length & 255)] + content, at: 2)
  }

  mutating func setSize(width: Int, height: Int) {
    guard let frame else { return }
    bytes[frame + 5] = UInt8(height >> 8)
    bytes[frame + 6] = UInt8(height & 255)
    bytes[frame + 7] = UInt8(width >> 8)
    bytes[frame + 8] = UInt8(width & 255)
  }

  /// Where the entropy-coded data of the first scan starts.
  var firstScanData: Int? {
    marker(0xDA).map { $0 + 2 + segmentLength(at: $0) }
  }
}
