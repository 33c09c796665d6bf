extension JSONParser {
  /// An error at a byte offset, by default the current position.
  func error(_ message: String, at offset: Int? = nil) -> JSONParseError {
    let offset = offset ?? position
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.prefix(lineStart).count { $0 == UInt8(ascii: "\n") } + 1
    let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    return JSONParseError(message: message, line: line, column: column, offset: offset)
  }

  /// An error that says what stands at the current position instead of what was expected.
  func unexpected(expected: String) -> JSONParseError {
    guard next != nil else { return error("expected \(expected) but the text ends") }
    // A scalar has at most four bytes; decoding a few more of them shows the first one whole.
    let scalar = String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.first
    return error(
      "expected \(expected) but found '\(scalar.map { $0.escaped(asASCII: false) } ?? "")'")
  }
}
