import Foundation

/// Why a schema cannot constrain a text. Places are given as JSON paths such as
/// `$.properties.age.minimum`.
public enum GrammarError: Error, Sendable, Equatable {
  /// The text of the schema is not JSON.
  case invalidJSON(reason: String)
  /// A keyword has a value that it cannot have.
  case malformed(path: String, keyword: String, reason: String)
  /// A keyword, or its value, asks for what a grammar cannot guarantee.
  case unsupported(path: String, keyword: String, reason: String)
  /// A `$ref` leads nowhere, or only back to itself.
  case unresolvedReference(path: String, reference: String)
  /// No value satisfies the schema.
  case unsatisfiable(path: String, reason: String)
  /// Schemas, values or groups lie too deep inside one another.
  case tooDeep(path: String, limit: Int)
  /// The schema would take more memory or time than is allowed.
  case tooLarge(path: String, reason: String)

  /// The JSON path of the place in the schema; `$` is the whole schema.
  public var path: String {
    switch self {
    case .invalidJSON: "$"
    case .malformed(let path, _, _), .unsupported(let path, _, _),
      .unresolvedReference(let path, _), .unsatisfiable(let path, _), .tooDeep(let path, _),
      .tooLarge(let path, _):
      path
    }
  }

  /// The keyword at fault, where it is a single one.
  public var keyword: String? {
    switch self {
    case .malformed(_, let keyword, _), .unsupported(_, let keyword, _): keyword
    case .unresolvedReference: "$ref"
    default: nil
    }
  }
}

extension GrammarError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .invalidJSON(let reason): "The schema cannot be read: \(reason)"
    case .malformed(let path, let keyword, let reason):
      "The schema's keyword '\(keyword)' at \(path) is wrong: \(reason)."
    case .unsupported(let path, let keyword, let reason):
      "The schema's keyword '\(keyword)' at \(path) is not supported: \(reason)."
    case .unresolvedReference(let path, let reference):
      "The schema's '$ref' at \(path) leads to no schema in it: '\(reference)'."
    case .unsatisfiable(let path, let reason):
      "No value satisfies the schema at \(path): \(reason)."
    case .tooDeep(let path, let limit):
      "The schema is too deep at \(path): more than \(limit) levels lie inside one another."
    case .tooLarge(let path, let reason):
      "The schema is too large at \(path): \(reason)."
    }
  }

  public var errorDescription: String? { description }
}
