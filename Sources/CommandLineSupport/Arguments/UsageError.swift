import Foundation

/// Arguments that make no sense; ends the program with `ExitCode.usage`.
public enum UsageError: Error, Equatable, Sendable {
  case unknownOption(String, nearest: String?)
  case unknownCommand(String, nearest: String?)
  case missingCommand
  /// `next` is the option that stands where the value should.
  case missingValue(option: String, valueName: String, next: String?)
  case unexpectedValue(option: String, value: String)
  case invalidValue(option: String, value: String, expected: ExpectedValue)
  case missingOption(String)
  case missingOperand(String)
  case unexpectedOperand(String)
  /// Options that do not go together, or another rule of one command: a whole sentence.
  case rule(String)
}

extension UsageError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .unknownOption(let name, let nearest):
      "Unknown option '\(name)'" + hint(nearest)
    case .unknownCommand(let name, let nearest):
      "Unknown command '\(name)'" + hint(nearest)
    case .missingCommand:
      "A command is missing."
    case .missingValue(let option, let valueName, nil):
      "'\(option)' needs a value (\(valueName))."
    case .missingValue(let option, let valueName, let next?):
      "'\(option)' needs a value (\(valueName)) before '\(next)'; "
        + "if '\(next)' is the value, write '\(option)=\(next)'."
    case .unexpectedValue(let option, let value):
      "'\(option)' takes no value, but was given '\(value)'."
    case .invalidValue(let option, let value, let expected):
      "'\(option)' must be \(expected.description), not '\(value)'."
    case .missingOption(let name):
      "'\(name)' is missing."
    case .missingOperand(let name):
      "The argument \(name) is missing."
    case .unexpectedOperand(let text):
      "Unexpected argument '\(text)'."
    case .rule(let sentence):
      sentence
    }
  }

  public var errorDescription: String? { description }

  private func hint(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? "."
  }
}
