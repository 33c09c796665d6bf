/// A JSON value. Whole numbers and fractions are kept apart, as `1` and `1.0` are written
/// differently; object members keep their order.
///
/// Two strings are equal when their bytes are: unlike Swift's `String`, `"é"` as one scalar differs
/// from `"é"` as two. `.int(1)` and `.double(1)` are different values.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}
