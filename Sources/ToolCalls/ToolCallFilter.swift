/// Splits what a model writes into text and calls.
///
/// The pieces are the same wherever the input is split, apart from where a text is cut into pieces.
/// Markers never come out as text. What is no well-formed call comes out as text, without its
/// markers; it is never lost. A block of calls that has no end ends with the input. Time is linear
/// in the input and memory is bounded by the longest block. A value type: a copy goes its own way.
public struct ToolCallFilter: Sendable {
  /// Where the markers come from.
  public enum Recognition: Sendable {
    /// They are looked for in the text, outside Markdown code and quotation marks.
    case text
    /// They are tokens of their own, given to `append(marker:)`. In a text they are text.
    case tokens
  }

  public enum Marker: Sendable { case start, end }

  public enum Piece: Sendable, Equatable {
    /// Never empty.
    case text(String)
    /// Calls that stand one after the other in a block; delivered when it ends. Never empty.
    case calls([ToolCall])
  }

  private let parser: BlockParser
  private let recognition: Recognition
  private var matcher: MarkerMatcher
  private var quotation = QuotationTracker()
  private var block: OpenBlock?
  /// A quoted start marker has come out as text: so does the end marker that belongs to it.
  private var quotesBlock = false
  /// After a block whose quotes do not match, quotes no longer hide an end marker.
  private var ignoresStrings = false

  /// - Parameter signatures: the functions the model may call; calls of others are delivered, too.
  public init(
    format: ToolCallFormat, signatures: ToolSignatures = ToolSignatures(tools: []),
    recognition: Recognition
  ) {
    parser = BlockParser(format: format, signatures: signatures)
    matcher = MarkerMatcher(format)
    self.recognition = recognition
  }

  /// Between a start marker and its end: what is appended is held back.
  public var isInsideBlock: Bool { block != nil }

  /// Takes the next piece of text and delivers what is certain.
  public mutating func append(_ text: String, deliver: (Piece) -> Void) {
    var output = FilterOutput()
    switch recognition {
    case .text: scan(text.utf8, &output)
    case .tokens: for byte in text.utf8 { take(byte, &output) }
    }
    output.deliver(deliver)
  }

  /// Takes a marker that is a token of its own. A start ends the block before it; an end without a
  /// start means nothing.
  public mutating func append(marker: Marker, deliver: (Piece) -> Void) {
    var output = FilterOutput()
    releaseHeld(&output)
    close(&output)
    if marker == .start { block = OpenBlock() }
    output.deliver(deliver)
  }

  /// Delivers what was held back, at the end of the input. The filter is then ready for another.
  public mutating func finish(deliver: (Piece) -> Void) {
    var output = FilterOutput()
    releaseHeld(&output)
    close(&output)
    quotation = QuotationTracker()
    quotesBlock = false
    ignoresStrings = false
    output.deliver(deliver)
  }
}

extension ToolCallFilter {
  private mutating func scan(_ bytes: some Sequence<UInt8>, _ output: inout FilterOutput) {
    for byte in bytes {
      if matcher.passes(byte) {
        take(byte, &output)
        continue
      }
      switch matcher.append(byte) {
      case .held: break
      case .marker(let marker): take(marker, &output)
      case .text(let bytes): for byte in bytes { take(byte, &output) }
      }
    }
  }

  private mutating func releaseHeld(_ output: inout FilterOutput) {
    for byte in matcher.takeHeld() { take(byte, &output) }
  }

  /// A byte that is no part of a marker.
  private mutating func take(_ byte: UInt8, _ output: inout FilterOutput) {
    if block != nil {
      block?.append(byte)
    } else {
      if recognition == .text { quotation.append(byte) }
      output.append(byte)
    }
  }

  /// A marker found in the text.
  private mutating func take(_ marker: Marker, _ output: inout FilterOutput) {
    if block != nil {
      guard endsBlock(marker) else {
        for byte in matcher.bytes(of: marker) { block?.append(byte) }
        return
      }
      close(&output)
      if marker == .end { return }
    }
    if quotation.isQuoted() || quotesBlock && marker == .end {
      quotesBlock = marker == .start
      for byte in matcher.bytes(of: marker) { take(byte, &output) }
    } else if marker == .start {
      block = OpenBlock()
    }
  }

  /// Whether a marker found in the text of the open block ends it: one in a string may be part of
  /// an argument.
  private mutating func endsBlock(_ marker: Marker) -> Bool {
    guard let block, block.isInString, !ignoresStrings else { return true }
    guard marker == .end, block.quotedEnd == nil else { return false }
    self.block?.quotedEnd = block.bytes.count
    return !parser.parse(block.bytes).endsInsideString
  }

  private mutating func close(_ output: inout FilterOutput) {
    while let block {
      self.block = nil
      let pieces = parser.parse(block.bytes).pieces
      let holdsText = pieces.contains { if case .text = $0 { true } else { false } }
      guard let end = block.quotedEnd, end < block.bytes.count, holdsText else {
        append(pieces, to: &output)
        return
      }
      // The quotes do not match, so the marker in a string has ended the block.
      ignoresStrings = true
      append(parser.parse(Array(block.bytes[..<end])).pieces, to: &output)
      scan(block.bytes[(end + matcher.bytes(of: .end).count)...], &output)
      releaseHeld(&output)
    }
  }

  private func append(_ pieces: [Piece], to output: inout FilterOutput) {
    for piece in pieces {
      switch piece {
      case .text(let text) where recognition == .text:
        output.append(.text(matcher.removingMarkers(from: text)))
      default: output.append(piece)
      }
    }
  }
}
