/// The text of a block of calls whose end is still to come.
struct OpenBlock: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Where a string of the text holds the first end marker: there the block may have ended after
  /// all, if its quotes do not match.
  var quotedEnd: Int?
  private var quote: UInt8?
  private var isEscaped = false

  var isInString: Bool { quote != nil }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
    if isEscaped {
      isEscaped = false
    } else if let quote {
      if byte == quote { self.quote = nil }
      isEscaped = byte == UInt8(ascii: "\\")
    } else if byte.isQuote {
      quote = byte
    }
  }
}
