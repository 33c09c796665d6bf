extension JSONValue: Hashable {
  /// Compares without recursion, as parsed values may be nested deeply.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    var pending: [(JSONValue, JSONValue)] = []
    var next: (JSONValue, JSONValue)? = (lhs, rhs)
    while let pair = next {
      switch pair {
      case (.null, .null): break
      case (.bool(let a), .bool(let b)): if a != b { return false }
      case (.int(let a), .int(let b)): if a != b { return false }
      case (.double(let a), .double(let b)): if a != b { return false }
      case (.string(let a), .string(let b)):
        if ByteString(a) != ByteString(b) { return false }
      case (.array(let a), .array(let b)):
        guard a.count == b.count else { return false }
        pending.append(contentsOf: zip(a, b))
      case (.object(let a), .object(let b)):
        guard a.count == b.count else { return false }
        for (key, value) in a.members {
          guard let other = b[key] else { return false }
          pending.append((value, other))
        }
      default: return false
      }
      next = pending.popLast()
    }
    return true
  }

  /// Hashes scalars, and of arrays and objects no more than their size: enough to tell most values
  /// apart, and independent of how deep they are.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .int(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .double(let value):
      hasher.combine(3)
      hasher.combine(value)
    case .string(let value):
      hasher.combine(4)
      hasher.combine(ByteString(value))
    case .array(let elements):
      hasher.combine(5)
      hasher.combine(elements.count)
    case .object(let object):
      hasher.combine(6)
      hasher.combine(object)
    }
  }
}
