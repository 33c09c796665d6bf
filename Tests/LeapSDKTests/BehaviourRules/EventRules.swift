import Dispatch
import Foundation
import Testing

@testable import LeapSDK

/// What is delivered, and in which order: B2, B5, B8, B21, B22. Against a scripted runner, over the public protocol
/// (path 0) and over the library's own direct path (path 1).
@Suite struct EventRules {
  @Test(arguments: 0..<2) func b05_eventsArriveInOrderAndTheStreamEndsAfterTheOneComplete(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(userTextMessage: "Hi")
    let call = try #require(runner.calls.first)
    call.send(.reasoningChunk("hm"))
    call.send(.chunk("Hel"))
    call.send(.chunk("lo"))
    call.send(.audioSample(samples: [0, 0.5], sampleRate: 24_000))
    call.send(.functionCall([LeapFunctionCall(name: "f", arguments: [:])]))
    call.complete("Hello")
    call.send(.chunk("after the end"))
    call.complete("twice")
    #expect(
      try await stream.summaries() == [
        "reasoning hm", "chunk Hel", "chunk lo", "audio 2 at 24000", "calls f", "complete Hello",
      ])
    #expect(conversation.history == [.user("Hi"), .assistant("Hello")])
  }

  @Test(arguments: 0..<2) func b02_b08_atCompleteTheAnswerIsInTheHistoryAndNothingIsGenerating(
    path: Int
  )
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(message: .user("Hi"))
    runner.calls.first?.complete("Hello")
    for try await response in stream {
      guard case .complete(let completion) = response else { continue }
      #expect(conversation.history == [.user("Hi"), completion.message])
      #expect(!conversation.isGenerating)
    }
  }

  @Test(arguments: 0..<2) func b21_b22_soundIsDeliveredAndKeptAsItIs(path: Int) async throws {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(message: .user("Say hello"))
    let call = try #require(runner.calls.first)
    let answer = ChatMessage(
      role: .assistant,
      content: [.text("Hello"), .fromFloatSamples([0, 0.5, -0.5], sampleRate: 24_000)])
    call.send(.audioSample(samples: [0, 0.5], sampleRate: 24_000))
    call.send(.audioSample(samples: [-0.5], sampleRate: 24_000))
    call.send(.complete(MessageCompletion(message: answer, finishReason: .stop)))
    var samples: [Float] = []
    for try await response in stream {
      if case .audioSample(let piece, 24_000) = response { samples += piece }
    }
    #expect(samples == [0, 0.5, -0.5])
    #expect(conversation.history.last == answer)
  }
}
