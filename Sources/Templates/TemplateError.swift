import Foundation

/// What stopped a template from being read or rendered, and where.
public struct TemplateError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// The template's source cannot be read.
    case syntax
    /// An operation failed while rendering.
    case runtime
    /// The template itself refused its input by calling `raise_exception`.
    case raised(String)
    /// One of the `TemplateLimits` was reached.
    case limit
  }

  public let kind: Kind
  /// The cause, without the place.
  public let message: String
  /// The line in the template's source, from 1.
  public let line: Int
  /// The column in the line, in Unicode scalars, from 1.
  public let column: Int

  init(_ kind: Kind, _ message: String, at position: SourcePosition) {
    self.kind = kind
    self.message = message
    line = position.line
    column = position.column
  }

  public var description: String {
    let place = "line \(line), column \(column)"
    return switch kind {
    case .syntax: "The chat template cannot be read at \(place): \(message)."
    case .runtime: "The chat template failed at \(place): \(message)."
    case .raised: "The chat template refused the conversation at \(place): \(message)"
    case .limit: "The chat template was stopped at \(place): \(message)."
    }
  }

  public var errorDescription: String? { description }
}

/// A place in a template's source; both numbers count from 1.
struct SourcePosition: Sendable, Equatable {
  var line: Int
  var column: Int

  static let start = SourcePosition(line: 1, column: 1)
}
