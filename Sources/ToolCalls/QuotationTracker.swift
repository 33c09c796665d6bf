/// Follows a text's Markdown code and its quotation marks: a marker inside them is one that the
/// model writes about.
///
/// Code spans and quotations are taken to end with their line, so that a stray backtick or an inch
/// mark cannot hide the calls of a whole answer.
struct QuotationTracker: Sendable {
  private var fence: Fence?
  private var codeSpan: Int?
  private var isInQuotation = false
  /// The run of backticks or tildes that the text ends with.
  private var run: (byte: UInt8, length: Int) = (0, 0)
  private var runStartsLine = false
  /// Nothing but blanks since the line began.
  private var isAtLineStart = true
  /// The last three bytes, the latest lowest.
  private var last: UInt32 = 0

  private struct Fence {
    let byte: UInt8
    let length: Int
    /// Still in the line that opened it, where a run of any place closes it again.
    var isInFirstLine = true
  }

  private static let openQuote: UInt32 = 0xE2809C
  private static let closeQuote: UInt32 = 0xE2809D
  private static let openSingleQuote: UInt32 = 0xE28098

  /// Whether what comes next stands in code or in quotation marks.
  mutating func isQuoted() -> Bool {
    endRun()
    return fence != nil || codeSpan != nil || isInQuotation
      || last & 0xFF == UInt32(UInt8(ascii: "'")) || last == Self.openSingleQuote
  }

  mutating func append(_ byte: UInt8) {
    if byte == run.byte, run.length > 0 {
      run.length += 1
    } else {
      endRun()
      if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "~") {
        run = (byte, 1)
        runStartsLine = isAtLineStart
      }
    }
    if byte == UInt8(ascii: "\n") {
      endLine()
    } else if byte != 0x20, byte != 0x09, byte != 0x0D {
      isAtLineStart = false
    }
    appendToQuotation(byte)
    last = (last << 8 | UInt32(byte)) & 0xFF_FFFF
  }

  private mutating func endLine() {
    codeSpan = nil
    isInQuotation = false
    isAtLineStart = true
    fence?.isInFirstLine = false
  }

  private mutating func appendToQuotation(_ byte: UInt8) {
    guard fence == nil, codeSpan == nil else { return }
    let sequence = (last << 8 | UInt32(byte)) & 0xFF_FFFF
    if byte == UInt8(ascii: "\"") {
      // Behind a letter or digit it is an inch mark, or the end of a quotation.
      let before = UInt8(truncatingIfNeeded: last)
      isInQuotation = !isInQuotation && !before.isWord
    } else if sequence == Self.openQuote {
      isInQuotation = true
    } else if sequence == Self.closeQuote {
      isInQuotation = false
    }
  }

  /// Lets the run of backticks or tildes that has just ended open or close code.
  private mutating func endRun() {
    guard run.length > 0 else { return }
    defer { run = (0, 0) }
    if let fence {
      let closes = run.byte == fence.byte && run.length >= fence.length
      if closes, runStartsLine || fence.isInFirstLine { self.fence = nil }
    } else if run.length >= 3, runStartsLine {
      fence = Fence(byte: run.byte, length: run.length)
    } else if run.byte == UInt8(ascii: "`") {
      if codeSpan == nil {
        codeSpan = run.length
      } else if codeSpan == run.length {
        codeSpan = nil
      }
    }
  }
}
