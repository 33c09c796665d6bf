import Dispatch
import Testing

@testable import LeapSDK

@Suite struct ConversationCallbackTests {
  /// Collects what a callback gets and lets a test wait for it.
  private final class Recorder: Sendable {
    private let stream: AsyncStream<MessageResponse>
    private let continuation: AsyncStream<MessageResponse>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func record(_ response: MessageResponse) {
      continuation.yield(response)
      if case .complete = response { continuation.finish() }
    }

    /// The events up to and including `.complete`.
    func summaries() async -> [String] {
      var result: [String] = []
      for await response in stream { result.append(response.summary) }
      return result
    }
  }

  @Test(arguments: 0..<2) func eventsArriveInOrderOnTheMainQueue(path: Int) async throws {
    let runner = ConversationStreamTests.runners[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let recorder = Recorder()
    let handler = conversation.generateResponse(message: .user("Hi")) { response in
      dispatchPrecondition(condition: .onQueue(.main))
      if case .complete = response {
        #expect(conversation.history.count == 2)
        #expect(!conversation.isGenerating)
      }
      recorder.record(response)
    }
    #expect(handler != nil)
    let call = try #require(runner.calls.first)
    DispatchQueue.global().async {
      for number in 0..<100 { call.send(.chunk("\(number)")) }
      call.complete("done")
    }
    #expect(await recorder.summaries() == (0..<100).map { "chunk \($0)" } + ["complete done"])
  }

  @Test func generatingDoesNotWaitForTheCallbacks() throws {
    let runner = DirectScriptedRunner()
    let conversation = runner.createConversation(systemPrompt: nil)
    conversation.generateResponse(message: .user("Hi")) { _ in }
    // The main actor may be busy for as long as it likes: this thread goes on.
    let call = try #require(runner.calls.first)
    for _ in 0..<1_000 { call.send(.chunk("x")) }
    call.complete("done")
    #expect(conversation.history == [.user("Hi"), .assistant("done")])
  }

  @Test(arguments: 0..<2) func aSecondCallWhileGeneratingGetsOneEmptyComplete(path: Int)
    async throws
  {
    let runner = ConversationStreamTests.runners[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    conversation.generateResponse(message: .user("one")) { _ in }
    let recorder = Recorder()
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

  @Test(arguments: 0..<2) func anErrorEndsTheGenerationWithoutACallback(path: Int) async throws {
    let runner = ConversationStreamTests.runners[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    conversation.generateResponse(message: .user("Hi")) { response in
      Issue.record("unexpected \(response)")
    }
    runner.calls.first?.fail(.generationFailure("out of order", nil))
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
    await MainActor.run {}
  }

  @Test(arguments: 0..<2) func stoppingKeepsBothMessages(path: Int) async throws {
    let runner = ConversationStreamTests.runners[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let recorder = Recorder()
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
