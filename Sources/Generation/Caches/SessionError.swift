import Foundation
import Models
import Persistence

/// Why a session cannot be saved or restored.
public enum SessionError: Error, Sendable, CustomStringConvertible, LocalizedError {
  case cannotSave(path: String, SnapshotError)
  case cannotRestore(path: String, SnapshotError)
  case model(ModelError)
  case generation(GenerationError)
  case unloaded

  /// Whether the file itself is whole, but belongs to another model or another way of loading it.
  public var isMismatch: Bool {
    guard case .cannotRestore(_, let reason) = self else { return false }
    return switch reason {
    case .otherModel, .otherCacheType, .otherShape, .tooLong: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .cannotSave(let path, let reason):
      "The session cannot be saved as \(path). \(reason.description)"
    case .cannotRestore(let path, let reason):
      "The session \(path) cannot be restored. \(reason.description)"
    case .model(let error): error.description
    case .generation(let error): error.description
    case .unloaded: GenerationError.unloaded.description
    }
  }

  public var errorDescription: String? { description }
}
