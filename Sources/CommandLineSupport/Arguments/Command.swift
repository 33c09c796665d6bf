/// A command of a program: what it accepts, how it is explained, what it does.
public struct Command: Sendable {
  /// Options under one heading of the help.
  public struct OptionGroup: Sendable {
    public let title: String
    public let options: [any OptionDefinition]

    public init(_ title: String, _ options: [any OptionDefinition]) {
      self.title = title
      self.options = options
    }
  }

  /// A line a person may copy, with what it does.
  public struct Example: Sendable {
    public let line: String
    public let effect: String

    public init(_ line: String, _ effect: String) {
      self.line = line
      self.effect = effect
    }
  }

  public let name: String
  /// One line for the list of commands.
  public let summary: String
  /// A paragraph for the command's own help.
  public let discussion: String
  public let operands: [Operand]
  public let groups: [OptionGroup]
  public let examples: [Example]
  public let subcommands: [Command]
  let run: (@Sendable (ParsedArguments) throws -> Void)?

  /// A command that does something.
  public init(
    _ name: String, summary: String, discussion: String = "", operands: [Operand] = [],
    groups: [OptionGroup] = [], examples: [Example] = [],
    run: @escaping @Sendable (ParsedArguments) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.groups = groups
    self.examples = examples
    self.subcommands = []
    self.run = run
  }

  /// A family of commands.
  public init(
    _ name: String, summary: String, discussion: String = "", examples: [Example] = [],
    subcommands: [Command]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = []
    self.groups = []
    self.examples = examples
    self.subcommands = subcommands
    self.run = nil
  }

  var options: [any OptionDefinition] { groups.flatMap(\.options) }

  func subcommand(named name: String) -> Command? {
    subcommands.first { $0.name == name }
  }
}
