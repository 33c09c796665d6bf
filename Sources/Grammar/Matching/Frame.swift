/// One level of a stack: a rule that has begun, how far it is, and the level that goes on behind it.
struct Frame: Hashable {
  var rule: Int32
  /// Levels of recursion around the rule.
  var depth: Int32
  /// The number of the frame below; 0 is the empty stack.
  var below: Int32
  /// How far the rule is. Literal: bytes done. Sequence: parts begun. List: items begun. Members: the
  /// next one that may come. Text: the automaton's state.
  var place: Int32 = 0
  /// Text: scalars so far. Members: 1 behind the first one.
  var count: Int32 = 0
  /// Text that names a member: the name so far. Members: the set of names so far. See `KeyMemory`.
  var names = KeyMemory.empty
  /// Text: how far the next scalar is spelled.
  var spelling = SpellingState.start
}

/// Where in the spelling of a text's scalars its reader stands.
enum SpellingState: Hashable {
  /// In front of the opening quote.
  case start
  /// Between two scalars.
  case between
  /// Inside a scalar of UTF-8: its bits so far, and how many bytes are missing.
  case bytes(UInt32, missing: UInt8)
  /// Behind a backslash.
  case escape
  /// Inside `\uXXXX`: its bits so far, and how many digits are missing. `high` is the first half of a
  /// surrogate pair whose second half this is, 0 where there is none.
  case digits(UInt32, missing: UInt8, high: UInt32)
  /// Behind the first half of a pair, and behind the backslash that follows it.
  case pair(high: UInt32)
  case pairEscape(high: UInt32)
}
