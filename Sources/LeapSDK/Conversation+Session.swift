import Foundation

/// A runner that can save what it knows of a conversation.
protocol SessionRunner: ModelRunner {
  nonisolated(nonsending) func saveSession(_ conversation: Conversation, to url: URL) async throws
  nonisolated(nonsending)
    func restoreSession(from url: URL, allowingOtherModel: Bool) async throws -> Conversation
}

extension Conversation {
  /// Saves history, functions and the model's state of this conversation in one file, atomically:
  /// after an error the file is as before. `ModelRunner.restoreConversation(from:)` goes on from it.
  ///
  /// The file is bound to the content of the model file. It holds about as many bytes as the
  /// conversation takes in memory, and the whole text: treat it like the chat itself. Waits for the
  /// answers that other conversations of the runner have asked for before.
  ///
  /// - Throws: `LeapError`: `invalidInput` while this conversation is generating, or if its runner
  ///   cannot save sessions; `serializationFailure` with the reason if the file cannot be written.
  public nonisolated(nonsending) func saveSession(to url: URL) async throws {
    guard let runner = modelRunner as? any SessionRunner else { throw LeapError.noSessions }
    guard !isGenerating else {
      throw LeapError.invalidInput(
        "The conversation is generating; save it when the answer is complete.")
    }
    try await runner.saveSession(self, to: url)
  }
}

extension ModelRunner {
  /// A conversation that goes on from a file of `Conversation.saveSession(to:)` as if it had never
  /// been interrupted: the next answer costs only the new message, and is the same.
  ///
  /// `allowingOtherModel` takes just history and functions from the file if its state is of no use
  /// here, as it was saved with another model file, cache type or a larger context.
  ///
  /// - Throws: `LeapError`: `serializationFailure` with the reason if the file is missing, damaged,
  ///   of another version or of another model; `invalidInput` if the runner cannot restore.
  public nonisolated(nonsending) func restoreConversation(
    from url: URL, allowingOtherModel: Bool = false
  ) async throws -> Conversation {
    guard let runner = self as? any SessionRunner else { throw LeapError.noSessions }
    return try await runner.restoreSession(from: url, allowingOtherModel: allowingOtherModel)
  }
}

extension LeapError {
  fileprivate static let noSessions = LeapError.invalidInput(
    "This runner can neither save nor restore sessions; use a model loaded by Leap.")
}
