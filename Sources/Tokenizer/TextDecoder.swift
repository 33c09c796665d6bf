/// Turns bytes that arrive in parts into text, whole scalars at a time: the beginning of a scalar
/// waits for its rest. What cannot become valid UTF-8 is U+FFFD, once per longest invalid stretch,
/// so the parts joined are the text of all bytes at once.
public struct TextDecoder: Sendable {
  /// The beginning of a scalar, at most 3 bytes.
  private var pending: [UInt8] = []

  public init() {}

  /// The text that is certain after these bytes.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> String {
    pending.append(contentsOf: bytes)
    let complete = pending.count - Self.incompleteSuffix(of: pending)
    let text = String(decoding: pending[..<complete], as: UTF8.self)
    pending.removeFirst(complete)
    return text
  }

  /// Ends the text: a scalar that never got its rest becomes U+FFFD. The decoder can then be used
  /// anew.
  public mutating func finish() -> String {
    defer { pending.removeAll() }
    return String(decoding: pending, as: UTF8.self)
  }

  /// How many bytes at the end begin a scalar that further bytes may complete.
  private static func incompleteSuffix(of bytes: [UInt8]) -> Int {
    for length in 1...3 where length <= bytes.count {
      let first = bytes[bytes.count - length]
      if first & 0xC0 == 0x80 { continue }
      let second = length > 1 ? bytes[bytes.count - length + 1] : nil
      return canBegin(first, second, length: length) ? length : 0
    }
    return 0
  }

  /// Whether `length` bytes, a lead byte and continuation bytes, begin a longer scalar. The second
  /// byte's range rules out overlong forms, surrogates and values above U+10FFFF.
  private static func canBegin(_ first: UInt8, _ second: UInt8?, length: Int) -> Bool {
    let second = second ?? (first == 0xE0 || first == 0xF0 ? 0xBF : 0x80)
    return switch first {
    case 0xC2...0xDF: length < 2
    case 0xE0: length < 3 && second >= 0xA0
    case 0xED: length < 3 && second <= 0x9F
    case 0xE1...0xEF: length < 3
    case 0xF0: length < 4 && second >= 0x90
    case 0xF1...0xF3: length < 4
    case 0xF4: length < 4 && second <= 0x8F
    default: false
    }
  }
}
