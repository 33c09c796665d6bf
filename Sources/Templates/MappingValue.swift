/// A mapping in insertion order.
final class MappingValue {
  let keys: [TemplateValue]
  let values: [TemplateValue]
  let depth: Int
  let weight: Int
  private let allocation: Allocation?
  /// Positions by key, made when a mapping that is too large for searching is first asked.
  private lazy var positions: [MappingKey: Int] = {
    var positions: [MappingKey: Int] = [:]
    for (index, key) in keys.enumerated() {
      if let key = MappingKey(key) { positions[key] = index }
    }
    return positions
  }()

  init(keys: [TemplateValue], values: [TemplateValue], allocation: Allocation?) {
    self.keys = keys
    self.values = values
    let (keys, values) = (keys.nesting, values.nesting)
    depth = max(keys.depth, values.depth)
    let (sum, overflow) = keys.weight.addingReportingOverflow(values.weight)
    weight = overflow ? .max : sum
    self.allocation = allocation
  }

  var count: Int { keys.count }

  private static let searchLimit = 8

  func value(named name: [UInt8]) -> TemplateValue? {
    guard keys.count <= Self.searchLimit else {
      return positions[.string(name)].map { values[$0] }
    }
    for (index, key) in keys.enumerated() {
      if case .string(let string) = key, string.bytes == name { return values[index] }
    }
    return nil
  }

  /// The value of a key; nil also for what cannot be a key.
  func value(of key: TemplateValue) -> TemplateValue? {
    if case .string(let string) = key { return value(named: string.bytes) }
    guard let key = MappingKey(key) else { return nil }
    return positions[key].map { values[$0] }
  }
}

/// A key as mappings compare it: numbers by value (`1`, `1.0` and `true` are one key).
enum MappingKey: Hashable {
  case null
  case undefined
  case int(Int)
  case double(Double)
  case string([UInt8])
  case tuple([MappingKey])
  case range(start: Int, step: Int, count: Int)
  case object(ObjectIdentifier)

  /// nil where the value cannot be a key.
  init?(_ value: TemplateValue) {
    switch value {
    case .undefined: self = .undefined
    case .null: self = .null
    case .bool(let value): self = .int(value ? 1 : 0)
    case .int(let value): self = .int(value)
    case .double(let value): self = Int(exactly: value).map { .int($0) } ?? .double(value)
    case .string(let value): self = .string(value.bytes)
    case .tuple(let list):
      var keys: [MappingKey] = []
      for item in list.items {
        guard let key = MappingKey(item) else { return nil }
        keys.append(key)
      }
      self = .tuple(keys)
    case .range(let range):
      self = .range(start: range.start, step: range.step, count: range.count)
    case .object(let object): self = .object(ObjectIdentifier(object))
    case .list, .mapping: return nil
    }
  }
}

/// The members of a mapping under construction; a later value replaces an earlier one in its place.
struct MappingBuilder {
  private(set) var keys: [TemplateValue] = []
  private(set) var values: [TemplateValue] = []
  private var positions: [MappingKey: Int] = [:]

  mutating func set(
    _ key: TemplateValue, to value: TemplateValue, _ renderer: Renderer
  ) throws(TemplateError) {
    try renderer.spend(key.weight)
    guard let comparable = MappingKey(key) else {
      throw renderer.failure("\(key.typeName) cannot be the key of a mapping")
    }
    if let position = positions[comparable] {
      values[position] = value
    } else {
      positions[comparable] = keys.count
      keys.append(key)
      values.append(value)
    }
  }

  subscript(key: MappingKey) -> TemplateValue? { positions[key].map { values[$0] } }

  mutating func merge(_ mapping: MappingValue, _ renderer: Renderer) throws(TemplateError) {
    for (key, value) in zip(mapping.keys, mapping.values) { try set(key, to: value, renderer) }
  }
}
