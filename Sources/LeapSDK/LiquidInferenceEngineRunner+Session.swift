import Foundation
import Generation

extension LiquidInferenceEngineRunner: SessionRunner {
  nonisolated(nonsending) func saveSession(_ conversation: Conversation, to url: URL) async throws {
    guard let host = currentHost else { throw LeapError(GenerationError.unloaded) }
    let content = conversation.state.withLock {
      SessionContent(history: $0.history, functions: $0.functions)
    }
    let bytes = try content.bytes()
    do {
      try await withCheckedThrowingContinuation { continuation in
        host.saveSession(of: conversation.id, attachment: bytes, to: url.path) {
          continuation.resume(with: $0)
        }
      }
    } catch { throw LeapError(error) }
  }

  nonisolated(nonsending)
    func restoreSession(from url: URL, allowingOtherModel: Bool) async throws -> Conversation
  {
    guard let host = currentHost else { throw LeapError(GenerationError.unloaded) }
    let conversation = createConversation(systemPrompt: nil)
    let bytes: [UInt8]
    var hasState = true
    do {
      bytes = try await withCheckedThrowingContinuation { continuation in
        host.restoreSession(from: url.path, as: conversation.id) { continuation.resume(with: $0) }
      }
    } catch {
      guard allowingOtherModel, (error as? SessionError)?.isMismatch == true else {
        throw LeapError(error)
      }
      hasState = false
      do { bytes = try ModelHost.sessionAttachment(of: url.path) } catch { throw LeapError(error) }
    }
    let content = try SessionContent(bytes)
    conversation.state.withLock { [hasState] state in
      state.restore(history: content.history, functions: content.functions, hasState: hasState)
    }
    return conversation
  }
}

extension LeapError {
  /// The error of a session.
  fileprivate init(_ error: any Error) {
    switch error as? SessionError {
    case .cannotSave(_, let reason)?, .cannotRestore(_, let reason)?:
      self = .serializationFailure(error.localizedDescription, reason)
    case let error?:
      self = .generationFailure(error.description, error)
    case nil:
      self = error as? LeapError ?? .generationFailure(error.localizedDescription, error)
    }
  }
}
