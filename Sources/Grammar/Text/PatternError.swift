/// Why a regular expression, or several conditions on one string together, cannot be used.
enum PatternError: Error, Equatable {
  /// It is no regular expression.
  case malformed(String)
  /// It asks for something that no finite automaton, or not this one, can do.
  case unsupported(String)
  case tooLarge(String)
  case tooDeep(limit: Int)
}
