public import Foundation

/// Why a type has no usable JSON Schema.
public enum JSONSchemaError: Error, Sendable, Equatable {
  /// A schema written by hand is JSON, but no object.
  case noObject
  /// Two schemas written by hand define different things under one name in `$defs`.
  case definedTwice(name: String)
}

extension JSONSchemaError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .noObject:
      "A jsonSchema() written by hand must return a JSON object, and returns another JSON value."
    case .definedTwice(let name):
      "Two schemas written by hand define '\(name)' differently in $defs; rename one of them."
    }
  }

  public var errorDescription: String? { description }
}
