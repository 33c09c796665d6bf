/// Finds the two markers of a format in a text that arrives byte by byte. Linear in the text: a
/// marker's first byte, `<`, occurs nowhere else in it.
struct MarkerMatcher: Sendable {
  enum Step {
    /// The byte may belong to a marker and is held.
    case held
    case marker(ToolCallFilter.Marker)
    /// These bytes are no marker.
    case text([UInt8])
  }

  private let start: [UInt8]
  private let end: [UInt8]
  private var held: [UInt8] = []

  init(_ format: ToolCallFormat) {
    start = Array(format.startMarker.utf8)
    end = Array(format.endMarker.utf8)
  }

  /// Whether the next byte is text, whatever comes behind it.
  func passes(_ byte: UInt8) -> Bool { held.isEmpty && byte != UInt8(ascii: "<") }

  mutating func append(_ byte: UInt8) -> Step {
    held.append(byte)
    if held == start || held == end {
      defer { held = [] }
      return .marker(held == start ? .start : .end)
    }
    if start.starts(with: held) || end.starts(with: held) { return .held }
    // The byte may begin a marker itself.
    if byte == UInt8(ascii: "<") {
      held.removeLast()
      defer { held = [byte] }
      return .text(held)
    }
    return .text(takeHeld())
  }

  /// The held bytes, which are text after all.
  mutating func takeHeld() -> [UInt8] {
    defer { held = [] }
    return held
  }

  func bytes(of marker: ToolCallFilter.Marker) -> [UInt8] { marker == .start ? start : end }

  /// A text without the markers in it.
  func removingMarkers(from text: String) -> String {
    var matcher = self
    var rest: [UInt8] = []
    for byte in text.utf8 {
      if case .text(let bytes) = matcher.append(byte) { rest += bytes }
    }
    return String(decoding: rest + matcher.takeHeld(), as: UTF8.self)
  }
}
