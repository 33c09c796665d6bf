import Foundation

/// Why a manifest cannot be used: a sentence with the place and the cause.
public struct ManifestError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
  public var description: String
  public var errorDescription: String? { description }

  init(_ description: String) {
    self.description = description
  }
}
