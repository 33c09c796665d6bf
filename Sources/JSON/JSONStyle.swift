/// How a JSON text is spelled. No style escapes `/` or anything outside ASCII, and doubles are always
/// written as Python's `repr` writes them.
public enum JSONStyle: Sendable, Hashable {
  /// `{"a":1,"b":[2.0]}`; numbers that JSON lacks (NaN, infinities) are written as `null`.
  case compact
  /// As Python's `json.dumps(value, ensure_ascii=False)`: `{"a": 1, "b": [2.0]}`, with `NaN`,
  /// `Infinity` and `-Infinity` for the numbers that JSON lacks.
  case python
  /// As Python's `json.dumps(value, ensure_ascii=False, indent=indent)`: one member per line,
  /// indented by `indent` spaces (0 to 64) per level.
  case pretty(indent: Int)

  var colon: String { self == .compact ? ":" : ": " }
  /// Between members that stand on the same line.
  var comma: String { self == .python ? ", " : "," }

  /// The line break and indentation in front of a member or closing bracket `depth` levels deep.
  func lineBreak(depth: Int) -> String {
    guard case .pretty(let indent) = self else { return "" }
    // A template may ask for any number: it must not decide how much memory is taken.
    return "\n" + String(repeating: " ", count: min(max(0, indent), 64) * depth)
  }

  func text(of value: Double) -> String {
    if value.isFinite { return pythonFloatText(value) }
    if self == .compact { return "null" }
    return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
  }
}
