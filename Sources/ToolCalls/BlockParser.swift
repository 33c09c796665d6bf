import JSON

/// Reads the text between two markers.
struct BlockParser: Sendable {
  let format: ToolCallFormat
  let signatures: ToolSignatures

  struct Result {
    var pieces: [ToolCallFilter.Piece]
    /// A call was given up because the text ends inside one of its strings.
    var endsInsideString = false
  }

  func parse(_ bytes: [UInt8]) -> Result {
    if let calls = wholeJSON(bytes) {
      return Result(pieces: calls.isEmpty ? [] : [.calls(calls.map(signatures.coerced))])
    }
    var run = Run(format: format, signatures: signatures, reader: PythonReader(bytes))
    run.parse()
    return Result(pieces: run.pieces, endsInsideString: run.endsInsideString)
  }

  /// The calls of a text that is JSON from one end to the other; nil for anything else.
  private func wholeJSON(_ bytes: [UInt8]) -> [ToolCall]? {
    guard let json = try? JSONValue(parsing: bytes, depthLimit: PythonReader.depthLimit) else {
      return nil
    }
    let elements = json.arrayValue ?? [json]
    let calls = elements.compactMap(ToolCall.init(json:))
    return calls.count == elements.count ? calls : nil
  }
}

/// One reading of one block: calls one after the other, in a list's brackets or not. Where a call
/// cannot be read, the reading goes on behind it.
private struct Run {
  let format: ToolCallFormat
  let signatures: ToolSignatures
  var reader: PythonReader
  private(set) var endsInsideString = false
  private var elements: [Element] = []
  private var isInList = false
  private var failures = 0

  /// Each failure may cost one pass over the rest of the block.
  private static let failureLimit = 32

  private enum Element {
    case call(ToolCall)
    case text(Range<Int>)
  }

  init(format: ToolCallFormat, signatures: ToolSignatures, reader: PythonReader) {
    self.format = format
    self.signatures = signatures
    self.reader = reader
  }

  mutating func parse() {
    while true {
      reader.skipBlanks()
      switch reader.next {
      case nil: return
      case UInt8(ascii: "[") where !isInList:
        isInList = true
        reader.position += 1
      case UInt8(ascii: "]") where isInList:
        isInList = false
        reader.position += 1
      case UInt8(ascii: ","), UInt8(ascii: ";"): reader.position += 1
      default: parseElement()
      }
    }
  }

  private mutating func parseElement() {
    let start = reader.position
    var endedInsideString = false
    for isLenient in [false, true] where failures < Self.failureLimit {
      reader.position = start
      reader.isLenient = isLenient
      do {
        elements.append(.call(try parseCall()))
        return
      } catch {
        failures += 1
        if error == .unterminatedString { endedInsideString = true }
      }
    }
    if endedInsideString { endsInsideString = true }
    reader.position = start
    reader.isLenient = false
    if failures < Self.failureLimit { skipElement() } else { reader.position = reader.bytes.count }
    appendText(start..<reader.position)
  }

  private mutating func parseCall() throws(PythonReader.Failure) -> ToolCall {
    let call: ToolCall
    if reader.next == UInt8(ascii: "{") {
      guard let json = ToolCall(json: try reader.parseValue()) else { throw .malformed }
      call = json
    } else if format == .lfm {
      call = try reader.parseCall(signatures)
    } else {
      throw .malformed
    }
    let end = reader.position
    reader.skipBlanks()
    guard let next = reader.next, !",;]".utf8.contains(next) else { return call }
    // `f(a=1).b` and `f(a=1) + 2` are no calls, but one call may follow another.
    guard reader.position > end, next.isWord || next.isOpening else { throw .malformed }
    return call
  }

  /// Moves behind what is no call: in a list to the next comma or the list's end, elsewhere to the
  /// next comma or line break, in both cases outside brackets.
  private mutating func skipElement() {
    var depth = 0
    while let byte = reader.next {
      if depth == 0 {
        if byte == UInt8(ascii: ",") || byte == UInt8(ascii: isInList ? "]" : "\n") { return }
      } else if byte.isQuote {
        // An apostrophe outside brackets is one of a sentence.
        if (try? reader.parseStrings()) == nil { reader.position = reader.bytes.count }
        continue
      }
      if byte.isOpening { depth += 1 }
      if byte.isClosing { depth = max(0, depth - 1) }
      reader.position += 1
    }
  }

  private mutating func appendText(_ range: Range<Int>) {
    var end = range.upperBound
    while end > range.lowerBound, reader.blankLength(at: end - 1) != nil { end -= 1 }
    if case .text(let last)? = elements.last {
      elements[elements.count - 1] = .text(last.lowerBound..<end)
    } else {
      elements.append(.text(range.lowerBound..<end))
    }
  }

  var pieces: [ToolCallFilter.Piece] {
    var pieces: [ToolCallFilter.Piece] = []
    var calls: [ToolCall] = []
    for element in elements {
      switch element {
      case .call(let call): calls.append(signatures.coerced(call))
      case .text(let range):
        if !calls.isEmpty { pieces.append(.calls(calls)) }
        pieces.append(.text(reader.text(range)))
        calls = []
      }
    }
    if !calls.isEmpty { pieces.append(.calls(calls)) }
    // Text without any call comes back as it was written, brackets included.
    guard case .text? = pieces.first, pieces.count == 1 else { return pieces }
    return [.text(reader.text(0..<reader.bytes.count))]
  }
}
