import Testing

@testable import LeapSDK

/// The stream form's rules, over a mock of the public protocol and over the direct path.
@Suite struct ConversationStreamTests {
  static let runners: [@Sendable () -> ScriptedRunner] = [
    { ScriptedRunner() }, { DirectScriptedRunner() },
  ]

  @Test(arguments: 0..<2) func generatingStartsWithTheCall(path: Int) {
    let runner = Self.runners[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(message: .user("Hi"))
    #expect(runner.calls.count == 1)
    #expect(runner.calls.first?.history == [.user("Hi")])
    #expect(conversation.history == [.user("Hi")])
    #expect(conversation.isGenerating)
    withExtendedLifetime(stream) {}
  }

  @Test(arguments: 0..<2) func eventsArriveInOrderAndTheStreamEndsAfterComplete(path: Int)
    async throws
  {
    let runner = Self.runners[path]()
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

  @Test(arguments: 0..<2) func atCompleteTheAnswerIsInTheHistoryAndNothingIsGenerating(path: Int)
    async throws
  {
    let runner = Self.runners[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(message: .user("Hi"))
    runner.calls.first?.complete("Hello")
    for try await response in stream {
      guard case .complete(let completion) = response else { continue }
      #expect(conversation.history == [.user("Hi"), completion.message])
      #expect(!conversation.isGenerating)
    }
  }

  @Test(arguments: 0..<2) func aSecondCallWhileGeneratingIsAnEmptyStreamAndChangesNothing(path: Int)
    async throws
  {
    let runner = Self.runners[path]()
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

  @Test(arguments: 0..<2) func anErrorIsThrownAndTakesTheQuestionBack(path: Int) async throws {
    let runner = Self.runners[path]()
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

  @Test(arguments: 0..<2) func cancellingTheTaskStopsTheGenerationAndEndsTheLoop(path: Int)
    async throws
  {
    let runner = Self.runners[path]()
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

  @Test(arguments: 0..<2) func leavingTheLoopStopsTheGeneration(path: Int) async throws {
    let runner = Self.runners[path]()
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

  @Test(arguments: 0..<2) func droppingAnUnreadStreamStopsTheGeneration(path: Int) {
    let runner = Self.runners[path]()
    let conversation = runner.createConversation(systemPrompt: nil)
    _ = conversation.generateResponse(message: .user("Hi"))
    #expect(runner.calls.first?.stops == 1)
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
  }

  /// What chat apps do in `send()`: cancel the running task and ask again at once.
  @Test(arguments: 0..<2) @MainActor
  func aMessageSentRightAfterCancellingIsAnswered(path: Int) async throws {
    let runner = Self.runners[path]()
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
  @Test(arguments: 0..<2) func aMessageSentWhileTheCancelledReaderIsBusyIsAnswered(path: Int)
    async throws
  {
    let runner = Self.runners[path]()
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

  @Test(arguments: 0..<2) func aSecondCallFromWithinTheLoopIsAnEmptyStream(path: Int) async throws {
    let runner = Self.runners[path]()
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

  @Test func anEmptyTextAfterAToolMessageContinuesFromTheHistory() async throws {
    let runner = ScriptedRunner()
    let history = [ChatMessage.user("Weather?"), ChatMessage(role: .tool, content: [.text("18")])]
    let conversation = runner.createConversationFromHistory(history: history)
    let stream = conversation.generateResponse(userTextMessage: "")
    #expect(runner.calls.first?.history == history)
    runner.calls.first?.complete("Sunny")
    _ = try await stream.summaries()
    #expect(conversation.history == history + [.assistant("Sunny")])
  }

  @Test func anEmptyTextElsewhereIsAMessage() {
    let runner = ScriptedRunner()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(userTextMessage: "")
    #expect(conversation.history == [.user("")])
    withExtendedLifetime(stream) {}
  }

  @Test func aHistoryThatCannotBeReadThrowsOnTheFirstGeneration() async throws {
    let runner = ScriptedRunner()
    let conversation = runner.createConversationFromHistory(history: [["role": "nobody"]])
    let stream = conversation.generateResponse(userTextMessage: "Hi")
    await #expect { try await stream.summaries() } throws: { error in
      if case LeapError.serializationFailure(let message, _) = error {
        return message.contains("role")
      }
      return false
    }
    #expect(runner.calls.isEmpty)
    #expect(conversation.history.isEmpty)
  }
}
