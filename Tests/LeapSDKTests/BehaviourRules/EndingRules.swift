import Dispatch
import Foundation
import Testing

@testable import LeapSDK

/// Errors, cancelling and stopping: B9 to B13. Against a scripted runner, over the public protocol
/// (path 0) and over the library's own direct path (path 1).
@Suite struct EndingRules {
  @Test(arguments: 0..<2) func b09_b13_anErrorIsThrownAndTakesTheQuestionBack(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversationFromHistory(history: [.user("a"), .assistant("b")])
    let stream = conversation.generateResponse(message: .user("too long"))
    runner.calls.first?.send(.chunk("x"))
    runner.calls.first?.fail(.promptExceedContextLengthFailure("9 tokens, 8 fit", nil))
    var received: [String] = []
    do {
      for try await response in stream { received.append(response.summary) }
      Issue.record("the stream ended without an error")
    } catch LeapError.promptExceedContextLengthFailure {
      #expect(!conversation.isGenerating)
    }
    #expect(received == ["chunk x"])
    #expect(conversation.history == [.user("a"), .assistant("b")])
  }

  @Test(arguments: 0..<2) func b09_inTheCallbackFormAnErrorJustEndsTheGeneration(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    conversation.generateResponse(message: .user("Hi")) { response in
      Issue.record("unexpected \(response)")
    }
    runner.calls.first?.fail(.generationFailure("out of order", nil))
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
    await MainActor.run {}
  }

  @Test(arguments: 0..<2)
  func b10_b11_b13_cancellingTheTaskStopsTheGenerationAndEndsTheLoopWithoutAnError(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(message: .user("Hi"))
    let call = try #require(runner.calls.first)
    let task = Task { try await stream.summaries() }
    call.send(.chunk("Hel"))
    task.cancel()
    let received = try await task.value
    #expect(received.isEmpty || received == ["chunk Hel"])
    #expect(call.stops == 1)
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
    // What the stopping generation still delivers changes nothing.
    call.complete("Hel")
    #expect(conversation.history.isEmpty)
  }

  @Test(arguments: 0..<2) func b10_leavingTheLoopStopsTheGeneration(path: Int) async throws {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    func readOne() async throws {
      let stream = conversation.generateResponse(message: .user("Hi"))
      runner.calls.last?.send(.chunk("one"))
      for try await _ in stream { break }
    }
    try await readOne()
    #expect(runner.calls.first?.stops == 1)
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
  }

  @Test(arguments: 0..<2) func b10_droppingAnUnreadStreamStopsTheGeneration(path: Int) {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    _ = conversation.generateResponse(message: .user("Hi"))
    #expect(runner.calls.first?.stops == 1)
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
  }

  @Test(arguments: 0..<2) func b12_b13_stoppingCompletesAndKeepsBothMessages(path: Int) async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let recorder = CallbackRecorder()
    let handler = conversation.generateResponse(message: .user("Hi")) { recorder.record($0) }
    let call = try #require(runner.calls.first)
    call.send(.chunk("Hel"))
    handler?.stop()
    #expect(call.stops == 1)
    call.complete("Hel")  // What a runner answers to `stop`.
    #expect(await recorder.summaries() == ["chunk Hel", "complete Hel"])
    #expect(conversation.history == [.user("Hi"), .assistant("Hel")])
  }
}
