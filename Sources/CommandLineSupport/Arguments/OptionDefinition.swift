/// What the parser and the help text need to know of an option, whatever its value's type.
public protocol OptionDefinition: Sendable {
  /// Every spelling, dashes included; the last long one stands in messages and in the help.
  var names: [String] { get }
  /// The placeholder of the value in the help, or nil for a flag.
  var valueName: String? { get }
  var help: String { get }
  /// Reads one value. A flag is never asked.
  func value(from text: String) -> Result<any Sendable, ExpectedValue>
}

extension OptionDefinition {
  /// The spelling by which values are stored and found.
  var key: String { names.last ?? "" }

  func answers(to name: String) -> Bool { names.contains(name) }
}

/// What a value must be; completes the sentence "--name must be …".
public struct ExpectedValue: Error, Equatable {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// An option without a value: present or not.
public struct Flag: OptionDefinition {
  public let names: [String]
  public let help: String
  public var valueName: String? { nil }

  public init(_ names: String..., help: String) {
    self.names = names
    self.help = help
  }

  public func value(from text: String) -> Result<any Sendable, ExpectedValue> {
    .failure(ExpectedValue("given without a value"))
  }
}

/// An option with a value of type `Value`. Given several times, the last one counts, unless the
/// command asks for all of them.
public struct Option<Value: Sendable>: OptionDefinition {
  public let names: [String]
  public let valueName: String?
  public let help: String
  let parser: ValueParser<Value>

  public init(_ names: String..., value: String, _ parser: ValueParser<Value>, help: String) {
    self.names = names
    self.valueName = value
    self.parser = parser
    self.help = help
  }

  public func value(from text: String) -> Result<any Sendable, ExpectedValue> {
    guard let value = parser.parse(text) else { return .failure(parser.expectation(text)) }
    return .success(value)
  }
}

/// A positional argument of a command.
public struct Operand: Sendable {
  public let name: String
  public let help: String
  public let isRequired: Bool
  /// Whether any number may be given; only the last operand of a command can.
  public let isRepeated: Bool

  public init(
    _ name: String, required: Bool = true, repeated: Bool = false, help: String
  ) {
    self.name = name
    self.isRequired = required
    self.isRepeated = repeated
    self.help = help
  }
}
