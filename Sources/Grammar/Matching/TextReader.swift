/// Follows one text rule byte by byte. Every state it returns can still be finished.
struct TextReader {
  enum Outcome: Equatable {
    /// `scalar` is the one that this byte completes.
    case goesOn(state: Int, count: Int, spelling: SpellingState, scalar: UInt32?)
    /// The closing quote was read.
    case closed
    case refused
  }

  let text: TextRule
  let state: Int
  let count: Int
  let spelling: SpellingState

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  /// Without them a control character could not be written.
  private static let controls: ClosedRange<UInt32> = 0...0x1F

  /// Whether the text may end here although no quote closes it.
  var mayEnd: Bool {
    text.spelling == .raw && spelling == .between && text.automaton.accepts[state]
      && text.limits?.allowsEnd(after: count) != false
  }

  /// Whether there is a byte that may come next.
  var mayGoOn: Bool {
    text.spelling != .raw || spelling != .between || allowsScalar(from: 0, to: ScalarSet.last)
  }

  func read(_ byte: UInt8) -> Outcome {
    switch spelling {
    case .start: return byte == Self.quote ? at(.between) : .refused
    case .between: return readFirst(byte)
    case .bytes(let bits, let missing):
      guard byte & 0xC0 == 0x80 else { return .refused }
      return readMore(bits << 6 | UInt32(byte & 0x3F), missing: missing - 1)
    case .escape: return readEscape(byte)
    case .digits(let bits, let missing, let high):
      guard let digit = Unicode.Scalar(byte).hexDigitValue else { return .refused }
      return readMore(bits << 4 | digit, missing: missing - 1, high: high)
    case .pair(let high): return byte == Self.backslash ? at(.pairEscape(high: high)) : .refused
    case .pairEscape(let high):
      return byte == UInt8(ascii: "u") ? at(.digits(0, missing: 4, high: high)) : .refused
    }
  }

  private func at(_ spelling: SpellingState) -> Outcome {
    .goesOn(state: state, count: count, spelling: spelling, scalar: nil)
  }

  /// The first byte of a scalar, or the closing quote.
  private func readFirst(_ byte: UInt8) -> Outcome {
    if text.spelling != .raw {
      if byte == Self.quote {
        let closes =
          text.automaton.accepts[state] && text.limits?.allowsEnd(after: count) != false
        return closes ? .closed : .refused
      }
      if byte == Self.backslash { return allowsEscape ? at(.escape) : .refused }
      if byte < 0x20 { return .refused }
    }
    switch byte {
    case 0x00...0x7F: return readScalar(UInt32(byte))
    case 0xC2...0xDF: return readMore(UInt32(byte & 0x1F), missing: 1)
    case 0xE0...0xEF: return readMore(UInt32(byte & 0x0F), missing: 2)
    case 0xF0...0xF4: return readMore(UInt32(byte & 0x07), missing: 3)
    default: return .refused
    }
  }

  private func readScalar(_ scalar: UInt32) -> Outcome {
    guard let target = text.automaton.next(state, scalar) else { return .refused }
    let count = text.limits?.counted(count + 1) ?? 0
    guard text.limits?.canFinish(from: target, after: count) != false else { return .refused }
    return .goesOn(state: target, count: count, spelling: .between, scalar: scalar)
  }

  /// Part of a scalar's UTF-8.
  private func readMore(_ bits: UInt32, missing: UInt8) -> Outcome {
    if missing == 0 { return readScalar(bits) }
    let shift = 6 * UInt32(missing)
    let low = max(bits << shift, smallestScalar(missing: missing))
    let high = min(bits << shift | (1 << shift - 1), ScalarSet.last)
    guard allowsScalar(from: low, to: high) else { return .refused }
    let isWhole = low == bits << shift && high == bits << shift | (1 << shift - 1)
    return at(.bytes(isWhole ? representative(bits, shift) : bits, missing: missing))
  }

  /// Where one edge takes all scalars that begin with `bits`, it does not matter which they are: the
  /// smallest such beginning stands for all. This keeps the number of states small.
  private func representative(_ bits: UInt32, _ shift: UInt32) -> UInt32 {
    let automaton = text.automaton
    let edge = automaton.edges[automaton.edgeIndex(state, notBelow: bits << shift)]
    guard !text.isName, edge.first <= bits << shift,
      edge.last >= bits << shift | (1 << shift - 1)
    else { return bits }
    // Zero has a meaning of its own while two bytes are missing; see `smallestScalar(missing:)`.
    return max(shift > 6 ? 1 : 0, (edge.first + (1 << shift - 1)) >> shift)
  }

  /// Below this, shorter spellings exist. Only the first two bytes can get there.
  private func smallestScalar(missing: UInt8) -> UInt32 {
    switch (spelling, missing) {
    case (.between, 1): 0x80
    case (.between, 2), (.bytes(0, missing: 2), _): 0x800
    case (.between, 3), (.bytes(0, missing: 3), _): 0x10000
    default: 0
    }
  }

  private func readEscape(_ byte: UInt8) -> Outcome {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return readScalar(UInt32(byte))
    case UInt8(ascii: "/"): return text.spelling == .quoted ? readScalar(0x2F) : .refused
    case UInt8(ascii: "b"): return readScalar(0x08)
    case UInt8(ascii: "f"): return readScalar(0x0C)
    case UInt8(ascii: "n"): return readScalar(0x0A)
    case UInt8(ascii: "r"): return readScalar(0x0D)
    case UInt8(ascii: "t"): return readScalar(0x09)
    case UInt8(ascii: "u"): return readMore(0, missing: 4, high: 0)
    default: return .refused
    }
  }

  /// Part of `\uXXXX`.
  private func readMore(_ bits: UInt32, missing: UInt8, high: UInt32) -> Outcome {
    let shift = 4 * UInt32(missing)
    let first = bits << shift
    let last = first | (1 << shift - 1)
    if missing == 0 {
      if high != 0 { return readScalar(Self.scalar(high, bits)) }
      guard Self.highSurrogates.contains(bits) else { return readScalar(bits) }
      return allowsPair(first, last) ? at(.pair(high: bits)) : .refused
    }
    let isOpen: Bool
    if high != 0 {
      let low = max(first, Self.lowSurrogates.lowerBound)
      let top = min(last, Self.lowSurrogates.upperBound)
      isOpen =
        low <= top && allowsScalar(from: Self.scalar(high, low), to: Self.scalar(high, top))
    } else if text.spelling == .quotedPlainly {
      isOpen = allowsScalar(from: first, to: min(last, Self.controls.upperBound))
    } else {
      isOpen = allowsScalar(from: first, to: last) || allowsPair(first, last)
    }
    return isOpen ? at(.digits(bits, missing: missing, high: high)) : .refused
  }

  private static let highSurrogates: ClosedRange<UInt32> = 0xD800...0xDBFF
  private static let lowSurrogates: ClosedRange<UInt32> = 0xDC00...0xDFFF

  /// The scalar of a surrogate pair; beyond all scalars where `low` is no second half.
  private static func scalar(_ high: UInt32, _ low: UInt32) -> UInt32 {
    guard lowSurrogates.contains(low) else { return .max }
    return 0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF)
  }

  /// Whether one of these code units may be the first half of a pair.
  private func allowsPair(_ first: UInt32, _ last: UInt32) -> Bool {
    let low = max(first, Self.highSurrogates.lowerBound)
    let high = min(last, Self.highSurrogates.upperBound)
    return low <= high
      && allowsScalar(from: Self.scalar(low, 0xDC00), to: Self.scalar(high, 0xDFFF))
  }

  private var allowsEscape: Bool {
    if text.spelling == .quoted { return allowsScalar(from: 0, to: ScalarSet.last) }
    return allowsScalar(from: 0, to: Self.controls.upperBound)
      || allowsScalar(from: 0x22, to: 0x22) || allowsScalar(from: 0x5C, to: 0x5C)
  }

  /// Whether one of these scalars may come next.
  private func allowsScalar(from low: UInt32, to high: UInt32) -> Bool {
    guard low <= high else { return false }
    let automaton = text.automaton
    var index = automaton.edgeIndex(state, notBelow: low)
    while index < automaton.firstEdges[state + 1], automaton.edges[index].first <= high {
      guard let limits = text.limits else { return true }
      if limits.canFinish(
        from: automaton.edges[index].target, after: limits.counted(count + 1))
      {
        return true
      }
      index += 1
    }
    return false
  }
}
