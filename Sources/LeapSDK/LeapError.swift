import Foundation

/// What loading, generating and (de)serialising throw. Every text is one readable sentence that
/// names the cause and, where there is one, the remedy.
public enum LeapError: Error, Sendable {
  /// The model could not be loaded: file missing, damaged, unsupported or too large.
  case modelLoadingFailure(String, (any Error)?)
  /// The generation could not start or go on.
  case generationFailure(String, (any Error)?)
  /// JSON, base64 or media bytes that are not what they should be.
  case serializationFailure(String, (any Error)?)
  /// An option or a message the loaded model cannot take.
  case invalidInput(String)
}

extension LeapError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .modelLoadingFailure(let message, let cause), .generationFailure(let message, let cause),
      .serializationFailure(let message, let cause):
      guard let cause else { return message }
      let reason = (cause as? any LocalizedError)?.errorDescription ?? String(describing: cause)
      return message.contains(reason) ? message : "\(message) Cause: \(reason)"
    case .invalidInput(let message):
      return message
    }
  }

  public var errorDescription: String? { description }
}
