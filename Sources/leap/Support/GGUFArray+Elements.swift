import GGUF
import JSON

extension GGUFArray {
  /// The first elements as JSON, at most `limit`. Arrays of numbers too long to be read whole give
  /// none.
  func firstElements(_ limit: Int) -> [JSONValue] {
    if elementType == .string {
      return (0..<min(limit, count)).map {
        .string(String(decoding: stringBytes(at: $0), as: UTF8.self))
      }
    }
    guard count <= 1 << 20 else { return [] }
    if let values = ints() { return values.prefix(limit).map(JSONValue.int) }
    if let values = floats() { return values.prefix(limit).map(Inspection.number) }
    if let values = bools() { return values.prefix(limit).map(JSONValue.bool) }
    return []
  }
}
