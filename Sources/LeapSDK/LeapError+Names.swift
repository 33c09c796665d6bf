import Foundation

/// The prompt does not fit the context: the underlying error of a `generationFailure`.
public struct PromptExceedsContextLength: Error, Sendable, Equatable {
  /// How long the prompt is.
  public let promptTokens: Int
  /// How much the context holds.
  public let contextLength: Int
}

/// The 0.9 names that have no case of their own. They can be thrown, and caught by name:
/// `catch LeapError.promptExceedContextLengthFailure`.
extension LeapError {
  /// Matches every error about a prompt longer than the context.
  public static var promptExceedContextLengthFailure: LeapError {
    .promptExceedContextLengthFailure("The prompt is longer than the context.", nil)
  }

  /// An error about a prompt longer than the context.
  public static func promptExceedContextLengthFailure(
    _ message: String, _ underlying: (any Error)?
  ) -> LeapError {
    .generationFailure(
      message, underlying ?? PromptExceedsContextLength(promptTokens: 0, contextLength: 0))
  }

  /// Matches every `modelLoadingFailure`.
  public static var loadModelFailure: LeapError {
    .modelLoadingFailure("The model could not be loaded.", nil)
  }

  /// Whether this is the failure of a prompt that does not fit the context.
  public var isPromptExceedingContext: Bool {
    if case .generationFailure(_, let cause) = self { return cause is PromptExceedsContextLength }
    return false
  }

  /// Lets the names above stand in a `catch` or `case` pattern: they match by kind, not by text.
  public static func ~= (pattern: LeapError, error: any Error) -> Bool {
    guard let error = error as? LeapError else { return false }
    switch (pattern, error) {
    case (.modelLoadingFailure, .modelLoadingFailure),
      (.serializationFailure, .serializationFailure), (.invalidInput, .invalidInput):
      return true
    case (.generationFailure, .generationFailure):
      return !pattern.isPromptExceedingContext || error.isPromptExceedingContext
    default:
      return false
    }
  }
}
