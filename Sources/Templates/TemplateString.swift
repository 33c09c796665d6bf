/// A string that knows which of its parts came from the context.
///
/// Always valid UTF-8. Positions and lengths that templates see count Unicode scalars, as in Python.
struct TemplateString {
  /// Where the text of a string came from.
  enum Origin {
    case template
    case data
    /// At least two segments, neighbours of different kinds, the last one ending with the string.
    case mixed([Segment])
  }

  struct Segment {
    var end: Int
    var isData: Bool
  }

  let bytes: [UInt8]
  let scalarCount: Int
  let origin: Origin
  /// Whether the string was marked as safe HTML: adding plain text to it escapes the plain text.
  var isMarkup = false
  /// Counts the string's bytes while it lives.
  private(set) var allocation: Allocation?

  init(
    bytes: [UInt8], scalarCount: Int, origin: Origin = .template, allocation: Allocation? = nil
  ) {
    self.bytes = bytes
    self.scalarCount = scalarCount
    self.origin = origin
    self.allocation = allocation
  }

  init(_ text: String, isData: Bool = false) {
    bytes = Array(text.utf8)
    scalarCount = bytes.scalarCount
    origin = isData ? .data : .template
  }

  static var empty: TemplateString { TemplateString(bytes: [], scalarCount: 0) }

  var isEmpty: Bool { bytes.isEmpty }
  var isASCII: Bool { scalarCount == bytes.count }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  var containsData: Bool {
    switch origin {
    case .template: false
    case .data: true
    case .mixed: true
    }
  }

  var segments: [Segment] {
    switch origin {
    case .template: [Segment(end: bytes.count, isData: false)]
    case .data: [Segment(end: bytes.count, isData: true)]
    case .mixed(let segments): segments
    }
  }

  /// The same text without the mark of safe HTML.
  var plain: TemplateString {
    var copy = self
    copy.isMarkup = false
    return copy
  }

  /// The same text, marked as safe HTML if another string is.
  func marked(like other: TemplateString) -> TemplateString {
    var copy = self
    copy.isMarkup = other.isMarkup
    return copy
  }

  var scalars: [Unicode.Scalar] { Array(text.unicodeScalars) }

  /// The byte offset of a scalar; `index` may be anything from 0 to the count.
  func byteOffset(ofScalar index: Int) -> Int {
    if isASCII { return index }
    var remaining = index
    for offset in bytes.indices where bytes[offset] & 0xC0 != 0x80 {
      if remaining == 0 { return offset }
      remaining -= 1
    }
    return bytes.count
  }

  /// The number of scalars before a byte offset.
  func scalarIndex(ofByte offset: Int) -> Int {
    isASCII ? offset : bytes[..<offset].scalarCount
  }
}

extension TemplateString: Equatable {
  /// Strings are equal when their text is, whatever its origin.
  static func == (left: TemplateString, right: TemplateString) -> Bool { left.bytes == right.bytes }

  func isLess(than other: TemplateString) -> Bool { bytes.lexicographicallyPrecedes(other.bytes) }
}

extension Sequence where Element == UInt8 {
  /// The number of Unicode scalars in valid UTF-8.
  var scalarCount: Int { reduce(into: 0) { $0 += $1 & 0xC0 != 0x80 ? 1 : 0 } }
}

/// Text under construction, with the origin of its parts.
struct TextBuffer {
  private(set) var bytes: [UInt8] = []
  private(set) var segments: [TemplateString.Segment] = []

  var isEmpty: Bool { bytes.isEmpty }
  /// Bytes of memory, those for the origin of the parts included.
  var size: Int { bytes.count + segments.count * MemoryLayout<TemplateString.Segment>.stride }

  mutating func append(_ string: TemplateString) {
    switch string.origin {
    case .template: append(string.bytes, isData: false)
    case .data: append(string.bytes, isData: true)
    case .mixed(let segments):
      let base = bytes.count
      bytes.append(contentsOf: string.bytes)
      for segment in segments { extend(to: base + segment.end, isData: segment.isData) }
    }
  }

  /// Appends a part of a string, given in bytes.
  mutating func append(_ string: TemplateString, _ range: Range<Int>) {
    switch string.origin {
    case .template: append(string.bytes[range], isData: false)
    case .data: append(string.bytes[range], isData: true)
    case .mixed(let segments):
      var start = range.lowerBound
      var index = segments.firstIndex(endingAfter: start)
      while start < range.upperBound, index < segments.count {
        let end = min(segments[index].end, range.upperBound)
        append(string.bytes[start..<end], isData: segments[index].isData)
        start = end
        index += 1
      }
    }
  }

  mutating func append(_ text: some Collection<UInt8>, isData: Bool) {
    guard !text.isEmpty else { return }
    bytes.append(contentsOf: text)
    extend(to: bytes.count, isData: isData)
  }

  mutating func append(_ text: String, isData: Bool = false) {
    append(text.utf8, isData: isData)
  }

  private mutating func extend(to end: Int, isData: Bool) {
    if let last = segments.last, last.isData == isData {
      segments[segments.count - 1].end = end
    } else if end > (segments.last?.end ?? 0) {
      segments.append(.init(end: end, isData: isData))
    }
  }

  var origin: TemplateString.Origin {
    if segments.count > 1 { return .mixed(segments) }
    return segments.first?.isData == true ? .data : .template
  }
}

extension [TemplateString.Segment] {
  /// The segment that holds the byte at an offset (binary search).
  func firstIndex(endingAfter offset: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].end > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
