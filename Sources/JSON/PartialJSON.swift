/// A JSON text that is still being written, and the valid text it can be closed to.
///
/// Reading takes time linear in the length of the text. The text is taken to be the beginning of
/// valid JSON; behind the first byte that cannot be, nothing more is read.
public struct PartialJSON: Sendable {
  /// The text so far, up to the end of the document or the first fault.
  private var bytes: [UInt8] = []
  /// How much of it can be kept.
  private var end = 0
  private var levels: [Level] = []
  private var state = State.value

  /// An array, an object or a string value that is not closed yet.
  private struct Level {
    let closer: UInt8
    /// Where to cut so that it, and its key, are left out.
    let start: Int
  }

  private enum State {
    case value
    /// Behind `[` or `{`.
    case firstValue, firstKey
    case key, colon, separator
    case insideKey(StringState)
    case insideString(StringState)
    case insideNumber(start: Int)
    case insideLiteral(rest: Substring.UTF8View)
    /// Behind the document's value.
    case complete
    case faulty
  }

  fileprivate enum StringState {
    case text, escape
    case digits(missing: Int, unit: UInt16)
    /// Behind the first half of a surrogate pair; of the pair nothing can be kept yet.
    case halfPair
    case closed, faulty
  }

  public init() {}

  /// Whether the document's value has ended. (A number ends only with what follows it.)
  public var isComplete: Bool {
    if case .complete = state { true } else { false }
  }

  /// Whether a byte came that no JSON text can have at its place.
  public var isFaulty: Bool {
    if case .faulty = state { true } else { false }
  }

  /// Whether the text ends inside a string value.
  public var isInsideString: Bool { levels.last?.closer == UInt8(ascii: "\"") }

  /// How many arrays, objects and strings are open.
  public var depth: Int { levels.count }

  public mutating func append(_ text: some StringProtocol) {
    for byte in text.utf8 {
      if isFaulty { return }
      bytes.append(byte)
      read(byte)
    }
  }

  /// The largest valid text at the beginning of this one: cut strings are closed, cut numbers,
  /// literals and keys left out. Nil where there is no value yet.
  ///
  /// - Parameters:
  ///   - levels: How many of the open arrays, objects and strings to leave out, innermost first.
  ///   - mark: What to put behind a cut string, to see whether it matters that it is cut; letters
  ///     that need no escape.
  public func closed(leavingOut levels: Int = 0, mark: String = "") -> String? {
    let kept = self.levels.dropLast(max(0, levels))
    let isWhole = kept.count == self.levels.count
    let end = isWhole ? self.end : self.levels[kept.count].start
    guard end > 0 else { return nil }
    var text = Array(bytes[..<end])
    if isWhole, isInsideString { text += mark.utf8 }
    text += kept.reversed().map(\.closer)
    return String(decoding: text, as: UTF8.self)
  }
}

// MARK: - One byte

extension PartialJSON {
  private mutating func read(_ byte: UInt8) {
    switch state {
    case .insideString(let string):
      readString(string.next(byte))
    case .insideKey(let key):
      switch key.next(byte) {
      case .closed: state = .colon
      case .faulty: state = .faulty
      case let key: state = .insideKey(key)
      }
    case .insideNumber(let start):
      if Self.continuesNumber(byte) { return }
      guard (try? JSONValue(parsing: bytes[start..<bytes.count - 1])) != nil else {
        return state = .faulty
      }
      endValue(at: bytes.count - 1)
      read(byte)
    case .insideLiteral(let rest):
      guard byte == rest.first else { return state = .faulty }
      state = .insideLiteral(rest: rest.dropFirst())
      if rest.count == 1 { endValue(at: bytes.count) }
    case _ where byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09:
      break
    case .firstValue where byte == UInt8(ascii: "]"), .firstKey where byte == UInt8(ascii: "}"):
      close()
    case .value, .firstValue:
      beginValue(byte)
    case .firstKey, .key:
      state = byte == UInt8(ascii: "\"") ? .insideKey(.text) : .faulty
    case .colon:
      state = byte == UInt8(ascii: ":") ? .value : .faulty
    case .separator:
      if byte == levels.last?.closer {
        close()
      } else if byte == UInt8(ascii: ",") {
        state = levels.last?.closer == UInt8(ascii: "}") ? .key : .value
      } else {
        state = .faulty
      }
    case .complete, .faulty:
      state = .faulty
    }
  }

  private mutating func beginValue(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["): open("]", .firstValue)
    case UInt8(ascii: "{"): open("}", .firstKey)
    case UInt8(ascii: "\""): open("\"", .insideString(.text))
    case UInt8(ascii: "t"): state = .insideLiteral(rest: "rue"[...].utf8)
    case UInt8(ascii: "f"): state = .insideLiteral(rest: "alse"[...].utf8)
    case UInt8(ascii: "n"): state = .insideLiteral(rest: "ull"[...].utf8)
    case _ where Self.continuesNumber(byte): state = .insideNumber(start: bytes.count - 1)
    default: state = .faulty
    }
  }

  private mutating func open(_ closer: Unicode.Scalar, _ state: State) {
    guard closer == "\"" || levels.count < JSONValue.defaultDepthLimit else {
      return self.state = .faulty
    }
    levels.append(Level(closer: UInt8(ascii: closer), start: end))
    end = bytes.count
    self.state = state
  }

  private mutating func close() {
    levels.removeLast()
    endValue(at: bytes.count)
  }

  private mutating func endValue(at end: Int) {
    self.end = end
    state = levels.isEmpty ? .complete : .separator
  }

  private mutating func readString(_ string: StringState) {
    switch string {
    case .closed: return close()
    case .faulty: return state = .faulty
    // What is kept ends behind a whole scalar or escape.
    case .text: end = bytes.count
    case .escape, .digits, .halfPair: break
    }
    state = .insideString(string)
  }

  private static func continuesNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension PartialJSON.StringState {
  /// The state behind `byte`.
  fileprivate func next(_ byte: UInt8) -> Self {
    switch (self, byte) {
    case (.escape, UInt8(ascii: "u")): return .digits(missing: 4, unit: 0)
    case (.escape, _): return "\"\\/bfnrt".utf8.contains(byte) ? .text : .faulty
    case (.digits(let missing, let unit), _):
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return .faulty }
      let unit = unit << 4 | UInt16(digit)
      if missing > 1 { return .digits(missing: missing - 1, unit: unit) }
      return UTF16.isLeadSurrogate(unit) ? .halfPair : .text
    case (.closed, _), (.faulty, _), (_, 0..<0x20): return .faulty
    case (_, UInt8(ascii: "\\")): return .escape
    case (_, UInt8(ascii: "\"")): return .closed
    default: return .text
    }
  }
}
