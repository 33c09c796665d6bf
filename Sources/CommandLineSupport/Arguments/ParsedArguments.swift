/// The arguments of one command, read and checked.
public struct ParsedArguments: Sendable {
  /// Positional arguments in order.
  public internal(set) var operands: [String] = []
  var flags: Set<String> = []
  var values: [String: [any Sendable]] = [:]

  /// Whether the flag was given.
  public subscript(flag: Flag) -> Bool { flags.contains(flag.key) }

  /// The option's last value, or nil where it was not given.
  public subscript<Value>(option: Option<Value>) -> Value? {
    values[option.key]?.last as? Value
  }

  /// The option's values in the order given.
  public func all<Value>(_ option: Option<Value>) -> [Value] {
    (values[option.key] ?? []).compactMap { $0 as? Value }
  }

  /// The option's value; throws where it was not given.
  public func required<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
    guard let value = self[option] else { throw .missingOption(option.key) }
    return value
  }

  /// The operand at `index`, or nil where fewer were given.
  public func operand(_ index: Int) -> String? {
    operands.indices.contains(index) ? operands[index] : nil
  }
}
