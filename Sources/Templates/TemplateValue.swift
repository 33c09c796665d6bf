/// A value in a template. Lists and mappings never change once made, so values cannot form cycles
/// (namespaces can, and are taken apart at the end of a render).
enum TemplateValue {
  case undefined(Undefined)
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(TemplateString)
  case list(ListValue)
  case tuple(ListValue)
  case mapping(MappingValue)
  case range(RangeValue)
  case object(TemplateObject)
}

/// What a missing variable, attribute or item yields. It prints as nothing and is false; whatever
/// needs an actual value fails.
struct Undefined {
  /// The missing name or key.
  let key: String
  /// The type of the value that lacks it; nil for variables.
  var owner: String?

  var message: String {
    if let owner { return "\(owner) has no attribute or item '\(key)'" }
    return "'\(key)' is undefined"
  }
}

/// The elements of a list or a tuple.
final class ListValue {
  let items: [TemplateValue]
  /// Names for the items of a tuple that has them.
  let names: [String]
  let depth: Int
  let weight: Int
  private let allocation: Allocation?

  init(_ items: [TemplateValue], names: [String] = [], allocation: Allocation?) {
    self.items = items
    self.names = names
    (depth, weight) = items.nesting
    self.allocation = allocation
  }
}

/// The numbers of a `range`.
struct RangeValue: Equatable {
  let start: Int
  let step: Int
  let count: Int

  subscript(index: Int) -> Int { start + index * step }
  var items: [TemplateValue] { (0..<count).map { .int(self[$0]) } }

  func contains(_ value: Int) -> Bool {
    guard count > 0 else { return false }
    let last = self[count - 1]
    guard (min(start, last)...max(start, last)).contains(value) else { return false }
    return count == 1 || (value - start) % step == 0
  }
}

extension TemplateValue {
  static func string(_ text: String) -> TemplateValue { .string(TemplateString(text)) }

  /// Python's truth value.
  var isTrue: Bool {
    switch self {
    case .undefined, .null: false
    case .bool(let value): value
    case .int(let value): value != 0
    case .double(let value): value != 0
    case .string(let value): !value.isEmpty
    case .list(let list), .tuple(let list): !list.items.isEmpty
    case .mapping(let mapping): mapping.count > 0
    case .range(let range): range.count > 0
    case .object(let object): object.length != 0
    }
  }

  /// What error messages call the type.
  var typeName: String {
    switch self {
    case .undefined: "an undefined value"
    case .null: "none"
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a float"
    case .string: "a string"
    case .list: "a list"
    case .tuple: "a tuple"
    case .mapping: "a mapping"
    case .range: "a range"
    case .object(let object): object.typeName
    }
  }

  /// How deeply the value is nested.
  var depth: Int {
    switch self {
    case .list(let list), .tuple(let list): list.depth
    case .mapping(let mapping): mapping.depth
    case .object(let object): object.depth
    default: 0
    }
  }

  /// How much work it is to walk through the value: its items at all levels (what is shared counts
  /// as often as it occurs), and its text.
  var weight: Int {
    switch self {
    case .string(let string): 1 + string.bytes.count / 64
    case .list(let list), .tuple(let list): list.weight
    case .mapping(let mapping): mapping.weight
    case .object(let object): object.weight
    default: 1
    }
  }

  /// The value as an integer where it is one; booleans are 0 and 1.
  var integer: Int? {
    switch self {
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  /// The value as a floating-point number where it is a number.
  var number: Double? {
    if case .double(let value) = self { return value }
    return integer.map(Double.init)
  }

  var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  var isUndefined: Bool {
    if case .undefined = self { return true }
    return false
  }
}

extension Sequence where Element == TemplateValue {
  var maximumDepth: Int { reduce(0) { Swift.max($0, $1.depth) } }

  /// The depth and the weight of a value that holds these.
  var nesting: (depth: Int, weight: Int) {
    var depth = 0
    var weight = 1
    for value in self {
      depth = Swift.max(depth, value.depth)
      let (sum, overflow) = weight.addingReportingOverflow(value.weight)
      weight = overflow ? .max : sum
    }
    return (depth + 1, weight)
  }
}
