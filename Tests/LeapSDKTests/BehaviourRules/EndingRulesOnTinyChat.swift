import Dispatch
import Foundation
import Generation
import Testing

@testable import LeapSDK

/// The rules on the bundled model: errors, limits, cancelling and stopping.
@Suite struct EndingRulesOnTinyChat {
  @Test func b09_b16_theLowLevelCallReportsErrorsOnTheMainQueue() async throws {
    let runner = try await TinyChat.runner(contextSize: 64)
    func run(_ text: String) async -> [String] {
      let history = [ChatMessage.user(text)]
      let conversation = runner.createConversationFromHistory(history: history)
      let (events, continuation) = AsyncStream<String>.makeStream()
      _ = runner.generateResponse(
        conversation: conversation, generationOptions: TinyChat.greedy,
        onResponseCallback: { response in
          dispatchPrecondition(condition: .onQueue(.main))
          continuation.yield(response.summary)
          if case .complete = response { continuation.finish() }
        },
        onErrorCallback: { error in
          dispatchPrecondition(condition: .onQueue(.main))
          continuation.yield("error \(error.isPromptExceedingContext)")
          continuation.finish()
        })
      var result: [String] = []
      for await event in events { result.append(event) }
      #expect(conversation.history == history)
      return result
    }
    #expect(await run("Hello!").last == "complete Hello! How can I help you today?")
    #expect(await run(String(repeating: "a", count: 1_000)) == ["error true"])
  }

  @Test func b10_b11_b13_cancellingEndsTheLoopWithoutErrorAndFreesTheEngine() async throws {
    let runner = try await TinyChat.runner()
    let conversation = runner.createConversation()
    let stream = conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: TinyChat.endless)
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      var last: MessageResponse?
      for try await response in stream {
        continuation.yield()
        last = response
      }
      return last
    }
    for await _ in started { break }
    task.cancel()
    if case .complete? = try await task.value { Issue.record("completed") }
    #expect(conversation.history.isEmpty && !conversation.isGenerating)
    // Served only once the cancelled generation is over.
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: "What is the capital of Italy?", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == "The capital of Italy is Rome.")
  }

  @Test func b10_leavingTheLoopAndDroppingTheStreamFreeTheEngine() async throws {
    let conversation = try await TinyChat.runner().createConversation()
    for try await _ in conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: TinyChat.endless)
    { break }
    _ = conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: TinyChat.endless)
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: "What is the capital of Italy?", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == "The capital of Italy is Rome.")
    #expect(conversation.history.count == 2)
  }

  @Test func b12_b13_stoppingCompletesWithWhatWasGenerated() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    let (events, continuation) = AsyncStream<MessageResponse>.makeStream()
    let handler = Locked<(any GenerationHandler)?>(nil)
    let started = conversation.generateResponse(
      message: .user("Hello!"), generationOptions: TinyChat.endless
    ) { response in
      dispatchPrecondition(condition: .onQueue(.main))
      continuation.yield(response)
      if case .complete = response { continuation.finish() }
    }
    handler.withLock { $0 = started }
    var chunks = ""
    var completion: MessageCompletion?
    for await response in events {
      switch response {
      case .chunk(let text):
        chunks += text
        handler.withLock { $0?.stop() }
      case .complete(let end): completion = end
      default: break
      }
    }
    #expect(completion?.finishReason == .stop)
    #expect(completion?.message == .assistant(chunks))
    #expect(conversation.history == [.user("Hello!"), .assistant(chunks)])
  }

  @Test func b15_theTokenLimitEndsTheAnswerWithStop() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "Count from 3 to 9.",
      generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 4)
    ).answer()
    #expect(completion?.finishReason == .stop)
    #expect(completion?.stats?.completionTokens == 4)
    #expect("3, 4, 5, 6, 7, 8, 9.".hasPrefix(chunks))
  }

  @Test func b14_aFullContextEndsTheAnswerWithExceedContext() async throws {
    let conversation = try await TinyChat.runner(contextSize: 64).createConversation()
    let (_, completion) = try await conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: TinyChat.endless
    ).answer()
    #expect(completion?.finishReason == .exceed_context)
    #expect(completion?.stats?.totalTokens == 64)
    #expect(conversation.history.count == 2)
  }

  @Test func b14_aPromptThatDoesNotFitThrowsBeforeAnyChunk() async throws {
    let conversation = try await TinyChat.runner(contextSize: 64).createConversation()
    for length in [1_000, 1_000_000] {
      var received = 0
      do {
        for try await _ in conversation.generateResponse(
          userTextMessage: String(repeating: "a", count: length))
        { received += 1 }
        Issue.record("no error")
      } catch LeapError.promptExceedContextLengthFailure {
        #expect(received == 0)
        #expect(conversation.history.isEmpty)
      }
    }
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == "Hello! How can I help you today?")
  }
}
