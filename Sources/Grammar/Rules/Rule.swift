/// One rule of a grammar; others are referred to by their number.
enum Rule: Hashable, Sendable {
  /// These bytes; there is at least one.
  case literal([UInt8])
  /// A text of the numbered `TextRule`.
  case text(Int)
  case sequence([Int])
  /// One of these; none at all is what nothing satisfies.
  case choice([Int])
  /// `minimum` to `maximum` items. Item i follows rule `prefix[i]`, later ones `rest` (nil: there are
  /// none). Separators are part of the items.
  case list(prefix: [Int], rest: Int?, minimum: Int, maximum: Int)
  case members(Members)
  /// The rule of this slot, one level deeper. Only recursion needs it.
  case reference(slot: Int)
}

/// The members of an object, in order; each of them at most once.
struct Members: Hashable, Sendable {
  struct Member: Hashable, Sendable {
    /// Key and value where the member is the first one, and behind another one.
    var first: Int
    var next: Int
    var isRequired: Bool
  }

  var declared: [Member]
  /// Any number of further members behind the declared ones.
  var additional: Member?

  var isEmpty: Bool { declared.isEmpty && additional == nil }
}

/// A text with a regular set of contents, and how its scalars are spelled.
final class TextRule: Sendable {
  enum Spelling: Hashable, Sendable {
    /// As UTF-8.
    case raw
    /// A JSON string: in quotes, with every escape there is.
    case quoted
    /// A JSON string whose escapes are only those without which a scalar cannot be written, and which
    /// mean the same in Python.
    case quotedPlainly
  }

  let automaton: DFA
  let spelling: Spelling
  let limits: LengthLimits?
  /// Whether it names a member that is not declared, and so must not come twice in an object.
  let isName: Bool
  /// Whether any scalar may come next, but for the limits.
  let isAnything: Bool

  init(_ automaton: DFA, spelling: Spelling, limits: LengthLimits? = nil, isName: Bool = false) {
    self.automaton = automaton
    self.spelling = spelling
    self.limits = limits
    self.isName = isName
    isAnything =
      limits == nil ? automaton.goesOnWithAnything : automaton == .anything
  }

  var isSatisfiable: Bool {
    !automaton.isEmpty && limits?.canFinish(from: 0, after: 0) != false
  }
}
