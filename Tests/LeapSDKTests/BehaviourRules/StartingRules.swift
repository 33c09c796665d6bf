import Dispatch
import Foundation
import Testing

@testable import LeapSDK

/// How a generation starts, and what happens to a second one: B1 to B4, B28. Against a scripted runner, over the public protocol
/// (path 0) and over the library's own direct path (path 1).
@Suite struct StartingRules {
  @Test(arguments: 0..<2) func b01_generatingStartsWithTheCallAndTheMessageIsInTheHistory(path: Int)
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(message: .user("Hi"))
    #expect(runner.calls.count == 1)
    #expect(runner.calls.first?.history == [.user("Hi")])
    #expect(conversation.history == [.user("Hi")])
    #expect(conversation.isGenerating)
    withExtendedLifetime(stream) {}
  }

  @Test(arguments: 0..<2) func b03_aSecondStreamCallWhileGeneratingIsEmptyAndChangesNothing(
    path: Int
  )
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let first = conversation.generateResponse(message: .user("one"))
    let second = conversation.generateResponse(message: .user("two"))
    #expect(try await second.summaries() == [])
    #expect(conversation.history == [.user("one")])
    #expect(runner.calls.count == 1)
    #expect(runner.calls.first?.stops == 0)
    runner.calls.first?.complete("1")
    #expect(try await first.summaries() == ["complete 1"])
    // And afterwards there is room for the next.
    let third = conversation.generateResponse(message: .user("three"))
    runner.calls.last?.complete("3")
    #expect(try await third.summaries() == ["complete 3"])
  }

  @Test(arguments: 0..<2) func b03_aSecondStreamCallFromWithinTheLoopIsEmpty(path: Int) async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let first = conversation.generateResponse(message: .user("one"))
    runner.calls.first?.send(.chunk("1"))
    var inner: [String] = []
    for try await response in first {
      guard case .chunk = response else { continue }
      inner += try await conversation.generateResponse(message: .user("two")).summaries()
      #expect(conversation.history == [.user("one")])
      runner.calls.first?.complete("1")
    }
    #expect(inner == [])
    #expect(runner.calls.count == 1)
    #expect(conversation.history == [.user("one"), .assistant("1")])
  }

  @Test(arguments: 0..<2) func b04_aSecondCallbackCallWhileGeneratingGetsOneEmptyComplete(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    conversation.generateResponse(message: .user("one")) { _ in }
    let recorder = CallbackRecorder()
    let handler = conversation.generateResponse(message: .user("two")) { response in
      if case .complete(let completion) = response {
        #expect(completion.finishReason == .stop)
        #expect(completion.stats == nil)
        #expect(completion.message == .assistant(""))
      }
      recorder.record(response)
    }
    #expect(handler == nil)
    #expect(await recorder.summaries() == ["complete "])
    #expect(conversation.history == [.user("one")])
    #expect(runner.calls.count == 1)
  }

  /// What chat apps do in `send()`: cancel the running task and ask again at once.
  @Test(arguments: 0..<2) @MainActor
  func b28_aMessageSentRightAfterCancellingIsAnswered(path: Int) async throws {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let first = conversation.generateResponse(message: .user("one"))
    let task = Task { _ = try await first.summaries() }
    await Task.yield()  // The task now waits for the first event, or is on its way there.
    task.cancel()
    let second = conversation.generateResponse(message: .user("two"))
    for _ in 0..<1_000 where runner.calls.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(runner.calls.count == 2)
    #expect(conversation.history == [.user("two")])
    // The first generation winds down only now.
    runner.calls.first?.complete("late")
    runner.calls.last?.send(.chunk("2"))
    runner.calls.last?.complete("2")
    #expect(try await second.summaries() == ["chunk 2", "complete 2"])
    #expect(conversation.history == [.user("two"), .assistant("2")])
  }

  /// The same while the cancelled task is busy with an event and does not know it is cancelled.
  @Test(arguments: 0..<2) func b28_aMessageSentWhileTheCancelledReaderIsBusyIsAnswered(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let first = conversation.generateResponse(message: .user("one"))
    let (busy, gate) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let task = Task.detached {
      for try await _ in first {
        busy.continuation.yield()
        // A wait that cancelling does not end.
        await Task.detached { for await _ in gate.stream { break } }.value
      }
    }
    runner.calls.first?.send(.chunk("1"))
    for await _ in busy.stream { break }
    task.cancel()
    let second = conversation.generateResponse(message: .user("two"))
    #expect(conversation.history == [.user("one")])
    gate.continuation.yield()
    try await task.value
    #expect(runner.calls.count == 2)
    #expect(conversation.history == [.user("two")])
    runner.calls.last?.complete("2")
    #expect(try await second.summaries() == ["complete 2"])
    #expect(conversation.history == [.user("two"), .assistant("2")])
  }
}
