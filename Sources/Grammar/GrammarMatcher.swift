import Sampling

/// Follows a text that a grammar constrains, and tells which tokens may come next.
///
/// A value: a copy goes its own way. Not to be used by two threads at once. `accept` takes time in
/// proportion to the token's bytes; masks are remembered, so that most of them cost a look-up.
public struct GrammarMatcher: Sendable {
  private let vocabulary: GrammarVocabulary
  var automaton: Automaton
  var state: Int32

  /// Stands in front of the first byte.
  public init(_ grammar: Grammar, vocabulary: GrammarVocabulary) {
    self.vocabulary = vocabulary
    automaton = Automaton(grammar.rules)
    state = automaton.start()
  }

  /// Whether the text so far is a whole answer: the model may end its turn.
  public var isComplete: Bool { automaton.isComplete(state) }

  /// Whether it is, and nothing more can follow.
  public var mustEnd: Bool { automaton.mustEnd(state) }

  /// Goes on by a token. Returns false, and stays where it is, if the token is not allowed here.
  public mutating func accept(_ token: Int32) -> Bool {
    let text = vocabulary.text(of: token)
    return !text.isEmpty && accept(bytes: text) == nil
  }

  /// Goes on by these bytes. Returns nil if all were accepted, otherwise the offset of the first
  /// refused byte; then the matcher stays where it was.
  public mutating func accept(bytes: some Sequence<UInt8>) -> Int? {
    var kept = [state, state]
    for (offset, byte) in bytes.enumerated() {
      if automaton.isFull { automaton.forget(keeping: &kept) }
      kept[1] = automaton.next(kept[1], byte)
      if kept[1] == Automaton.dead {
        state = kept[0]
        return offset
      }
    }
    state = kept[1]
    return nil
  }

  /// Allows exactly the tokens after which the text is still the beginning of an answer, or a whole
  /// one, and returns their number. The mask gets the vocabulary's size.
  ///
  /// Zero although the text is not complete means that no token spells what the grammar needs.
  public mutating func fill(_ mask: inout TokenMask) -> Int {
    let made = automaton.mask(&state, vocabulary)
    mask = made.mask
    return made.count
  }

  /// The bytes that must come next, up to where there is a choice or the text may end.
  public mutating func forcedBytes(limit: Int = 256) -> [UInt8] {
    var forced: [UInt8] = []
    var kept = [state, state]
    while forced.count < limit, !automaton.isComplete(kept[1]) {
      if automaton.isFull { automaton.forget(keeping: &kept) }
      guard let byte = automaton.onlyByte(kept[1]) else { break }
      forced.append(byte)
      kept[1] = automaton.next(kept[1], byte)
    }
    state = kept[0]
    return forced
  }

  /// All bytes that may come next, in order.
  public mutating func possibleBytes() -> [UInt8] {
    (UInt8.min...UInt8.max).filter { automaton.next(state, $0) != Automaton.dead }
  }

  /// Whether some allowed token starts with `tail` and is longer. While it does, the tokens that a text
  /// ending in `tail` will have are not settled.
  public mutating func mayExtend(_ tail: [UInt8]) -> Bool {
    automaton.allowsLongerToken(than: tail, &state, vocabulary)
  }
}
