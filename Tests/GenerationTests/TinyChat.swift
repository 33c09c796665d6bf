import Foundation
import JSON
import Sampling
import TestSupport
import Testing

@testable import Generation

/// The bundled model, loaded once for all tests, and its golden transcripts.
enum TinyChat {
  static let path = Fixtures.best("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
  static let loaded = Result { try LoadedModel.load(path: path) }

  static func host(_ options: LoadOptions? = nil) throws -> ModelHost {
    try ModelHost(options.map { try LoadedModel.load(path: path, options: $0) } ?? loaded.get())
  }

  static func golden() throws -> [JSONValue] {
    let data = try Data(contentsOf: Fixtures.best("tiny-chat/golden/tiny-chat-q4_k_m.json"))
    return try JSONValue(parsing: data)["cases"]?.arrayValue ?? []
  }

  static func user(_ text: String) -> JSONValue { ["role": "user", "content": .string(text)] }
  static func assistant(_ text: String) -> JSONValue {
    ["role": "assistant", "content": .string(text)]
  }
  static func system(_ text: String) -> JSONValue { ["role": "system", "content": .string(text)] }

  /// Greedy, so that equal states give equal answers.
  static func request(
    _ messages: [JSONValue], tools: [JSONValue]? = nil, owner: UInt64? = nil, limit: Int? = 96,
    contextLimit: Int? = nil, reuses: Bool = true
  ) -> GenerationRequest {
    GenerationRequest(
      source: .messages(messages, tools: tools),
      settings: GenerationSettings(
        sampling: SamplingOptions(temperature: 0), maximumTokens: limit,
        contextLimit: contextLimit, reusesPrefix: reuses),
      owner: owner)
  }

  /// Draws from the whole vocabulary alike, so that a turn almost never ends by itself.
  static let endlessRequest = GenerationRequest(
    source: .messages([user("Hello!")]),
    settings: GenerationSettings(
      sampling: SamplingOptions(temperature: 1_000, topK: 0, topP: 1, minP: 0, seed: 1)))
}

extension ModelHost {
  /// Generates without blocking a thread of the cooperative pool.
  func result(
    of request: GenerationRequest, task: GenerationTask = GenerationTask(),
    onEvent: @escaping @Sendable (GenerationEvent) -> Void = { _ in }
  ) async throws -> GenerationResult {
    try await withCheckedContinuation { continuation in
      submit(request, task: task, onEvent: onEvent) { continuation.resume(returning: $0) }
    }.get()
  }
}
