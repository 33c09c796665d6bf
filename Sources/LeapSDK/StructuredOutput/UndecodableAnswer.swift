import Foundation

/// An answer that is no whole value of the type asked for: the underlying error of a
/// `serializationFailure`.
public struct UndecodableAnswer: Error, Sendable {
  /// What the model wrote.
  public let text: String
  /// Why it does not decode.
  public let reason: any Error
}

extension UndecodableAnswer: LocalizedError, CustomStringConvertible {
  public var description: String {
    let place = (reason as? DecodingError)?.explanation ?? String(describing: reason)
    return "\(place) The text begins with: \(text.prefix(200))"
  }

  public var errorDescription: String? { description }
}

extension DecodingError {
  /// What is wrong, and where.
  fileprivate var explanation: String {
    switch self {
    case .keyNotFound(let key, let context):
      "The property '\(Self.path(context.codingPath + [key]))' is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? context.debugDescription
        : "At '\(Self.path(context.codingPath))': \(context.debugDescription)"
    @unknown default: String(describing: self)
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".")
  }
}

extension GeneratableType {
  /// The value that a finished answer holds.
  init(answer: MessageCompletion) throws(LeapError) {
    if let calls = answer.message.functionCalls, !calls.isEmpty {
      let names = calls.map(\.name).joined(separator: ", ")
      throw .generationFailure(
        "The model called \(names) instead of answering with a '\(Self.self)'; answer the calls, "
          + "or ask in a conversation without functions.", nil)
    }
    let text = answer.message.text
    do {
      self = try AnswerDecoder.decode(Self.self, from: text)
    } catch {
      let problem = UndecodableAnswer(text: text, reason: error)
      throw .serializationFailure(
        "The answer is no whole '\(Self.self)'. If it was cut off, raise maxOutputTokens or the "
          + "context size.", problem)
    }
  }
}
