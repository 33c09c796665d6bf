import Foundation

/// Why and where a text is no JSON.
public struct JSONParseError: Error, Sendable, Equatable {
  public let message: String
  /// Line of the fault, from 1.
  public let line: Int
  /// Column of the fault in Unicode scalars, from 1.
  public let column: Int
  /// Bytes before the fault.
  public let offset: Int
}

extension JSONParseError: CustomStringConvertible, LocalizedError {
  public var description: String {
    "This is not valid JSON: \(message) at line \(line), column \(column)."
  }

  public var errorDescription: String? { description }
}
