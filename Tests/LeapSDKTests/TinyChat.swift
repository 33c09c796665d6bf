import Foundation
import TestSupport

@testable import LeapSDK

/// The bundled model.
enum TinyChat {
  static let url = Fixtures.best("tiny-chat/gguf/tiny-chat-q4_k_m.gguf")
  static let greedy = GenerationOptions(temperature: 0)
  /// Draws from the whole vocabulary alike, so that a turn almost never ends by itself.
  static let endless = GenerationOptions(
    temperature: 1_000, topP: 1, minP: 0, repetitionPenalty: 1, topK: 0, rngSeed: 1)

  /// One runner for all tests that do not unload it.
  static let shared = Result {
    try LiquidInferenceEngineRunner(options: LiquidInferenceEngineOptions(bundlePath: url.path))
  }

  static func runner(contextSize: UInt32? = nil) async throws -> any ModelRunner {
    try await Leap.load(
      url: url,
      options: LiquidInferenceEngineOptions(bundlePath: url.path, contextSize: contextSize))
  }
}

extension AsyncSequence where Element == MessageResponse {
  /// The joined chunks and the completion.
  func answer() async throws -> (chunks: String, completion: MessageCompletion?) {
    var (chunks, completion): (String, MessageCompletion?) = ("", nil)
    for try await response in self {
      switch response {
      case .chunk(let text): chunks += text
      case .complete(let end): completion = end
      default: break
      }
    }
    return (chunks, completion)
  }
}
