import Foundation

/// How a program ended.
public enum ExitCode {
  public static let success: Int32 = 0
  public static let failure: Int32 = 1
  public static let usage: Int32 = 2
  public static let interrupted: Int32 = 130
}

/// The person asked to stop.
public struct Interrupted: Error, Sendable {
  public init() {}
}

/// A program: finds the command, reads its arguments, runs it, and turns every error into one
/// sentence on standard error and an exit code.
public struct Program: Sendable {
  let root: Command
  let version: String

  /// `version` is the line that `--version` prints.
  public init(root: Command, version: String) {
    self.root = root
    self.version = version
  }

  /// Runs with the arguments of this process and ends it.
  public func main() -> Never {
    // Not by `exit`, where libraries tidy up: OpenBLAS waits for its threads there, for ever if
    // they found no memory. Nothing of ours is left to do.
    _exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs with the arguments that follow the program's name; returns the exit code.
  public func run(_ arguments: [String]) -> Int32 {
    ignoreBrokenPipes()
    Interrupt.install()
    let (command, path, rest) = resolve(arguments)
    do {
      try perform(command, path: path, rest)
      try Output.standard.flush()
      return ExitCode.success
    } catch {
      // What was printed before the failure still belongs to the reader.
      try? Output.standard.flush()
      return report(error, path: path)
    }
  }

  /// Walks down the families of commands as far as the arguments name one.
  private func resolve(_ arguments: [String]) -> (Command, path: String, rest: ArraySlice<String>) {
    var command = root
    var path = root.name
    var rest = arguments[...]
    while let name = rest.first, let next = command.subcommand(named: name) {
      command = next
      path += " \(name)"
      rest.removeFirst()
    }
    return (command, path, rest)
  }

  private func perform(_ command: Command, path: String, _ rest: ArraySlice<String>) throws {
    let beforeOperands = rest.prefix { $0 != "--" }
    if beforeOperands.contains("--help") || beforeOperands.contains("-h") {
      return try printHelp(command, path: path)
    }
    if command.name == root.name, rest.first == "--version" {
      return try Output.standard.write(version + "\n")
    }
    if let run = command.run {
      return try run(ArgumentParser(command: command).parse(rest))
    }
    switch rest.first {
    case nil where command.name == root.name: try printHelp(command, path: path)
    case nil: throw UsageError.missingCommand
    case "help"?: try help(about: rest.dropFirst())
    case let name?:
      let names = command.subcommands.map(\.name) + (command.name == root.name ? ["help"] : [])
      let nearest = nearestName(to: name, among: names)
      if name.hasPrefix("-") { throw UsageError.unknownOption(name, nearest: nil) }
      throw UsageError.unknownCommand(name, nearest: nearest)
    }
  }

  private func help(about names: ArraySlice<String>) throws {
    let (command, path, rest) = resolve(Array(names))
    if let name = rest.first {
      let nearest = nearestName(to: name, among: command.subcommands.map(\.name))
      throw UsageError.unknownCommand(name, nearest: nearest)
    }
    try printHelp(command, path: path)
  }

  private func printHelp(_ command: Command, path: String) throws {
    let width = min(Terminal.standardOutput.width ?? 100, 100)
    try Output.standard.write(HelpText(command: command, path: path, width: width).text)
  }

  private func report(_ error: any Error, path: String) -> Int32 {
    switch error {
    case is Interrupted:
      return ExitCode.interrupted
    case OutputError.closed:
      // The reader has what it wanted (`leap … | head -1`); that is no failure.
      return ExitCode.success
    case let error as UsageError:
      Console.error("\(error.description) (see '\(path) --help')", program: root.name)
      return ExitCode.usage
    default:
      Console.error(Console.sentence(for: error), program: root.name)
      return ExitCode.failure
    }
  }
}
