import Foundation
import JSON
import Sampling
import Testing

@testable import Generation

/// Caches on a real model: whatever is reused, the answer is that of a cold run.
@Suite struct HostTests {
  private func answer(
    _ host: ModelHost, _ messages: [JSONValue], owner: UInt64? = 1, reuses: Bool = true
  ) async throws -> GenerationResult {
    try await host.result(of: TinyChat.request(messages, owner: owner, reuses: reuses))
  }

  /// The same on a host that has never seen anything.
  private func cold(_ messages: [JSONValue]) async throws -> GenerationResult {
    try await answer(try TinyChat.host(), messages, reuses: false)
  }

  @Test func theSecondTurnEvaluatesOnlyWhatIsNew() async throws {
    let host = try TinyChat.host()
    var messages = [TinyChat.user("My name is Anna.")]
    let first = try await answer(host, messages)
    messages += [TinyChat.assistant(first.text), TinyChat.user("What is my name?")]
    let second = try await answer(host, messages)
    #expect(second.stats.cachedTokens >= first.stats.promptTokens + first.tokens.count - 1)
    #expect(second.text == "Your name is Anna.")
    #expect(try await cold(messages).tokens == second.tokens)
  }

  @Test func anEditedHistoryGivesTheAnswerOfAColdRun() async throws {
    let host = try TinyChat.host()
    var messages = [TinyChat.user("My name is Anna.")]
    for question in ["What is the capital of Italy?", "Count from 3 to 9.", "What is my name?"] {
      messages.append(TinyChat.assistant(try await answer(host, messages).text))
      messages.append(TinyChat.user(question))
    }
    _ = try await answer(host, messages)
    // One word changed in the middle: the part before it is kept, the rest replayed.
    var edited = messages
    edited[2] = TinyChat.user("What is the capital of Spain?")
    let changed = try await answer(host, edited)
    #expect(changed.stats.cachedTokens > 0)
    #expect(changed.stats.cachedTokens < changed.stats.promptTokens)
    #expect(try await cold(edited).tokens == changed.tokens)
    // The last turn removed and asked again.
    let shorter = Array(edited.dropLast(2))
    let again = try await answer(host, shorter)
    #expect(again.stats.cachedTokens > 0)
    #expect(try await cold(shorter).tokens == again.tokens)
    // The same prompt once more.
    #expect(try await answer(host, shorter).tokens == again.tokens)
  }

  @Test func aShorterPromptAfterALongerOneIsUnaffected() async throws {
    let host = try TinyChat.host()
    let long = TinyChat.system(String(repeating: "Answer briefly. ", count: 20))
    _ = try await answer(host, [long, TinyChat.user("Hello!"), TinyChat.user("Tell me a story.")])
    let short = [long, TinyChat.user("Hello!")]
    #expect(try await answer(host, short).tokens == cold(short).tokens)
  }

  @Test func twentyTurnsAreTheSameWithAndWithoutCache() async throws {
    let (cached, uncached) = (try TinyChat.host(), try TinyChat.host())
    let questions = [
      "Hello!", "My name is Anna.", "What is the capital of France?", "Count from 3 to 9.",
      "What is my name?",
    ]
    var messages: [JSONValue] = []
    for turn in 0..<20 {
      messages.append(TinyChat.user(questions[turn % questions.count]))
      if turn == 7 {
        // Cancelled in the middle: what is left in the cache must not matter.
        let stopped = try await stopAfterFirstText(cached, TinyChat.request(messages, owner: 1))
        #expect(stopped.finishReason == .stopped)
      }
      let warm = try await answer(cached, messages)
      let fresh = try await answer(uncached, messages, reuses: false)
      #expect(warm.tokens == fresh.tokens, "turn \(turn)")
      messages.append(TinyChat.assistant(warm.rawText))
    }
  }

  private func stopAfterFirstText(
    _ host: ModelHost, _ request: GenerationRequest
  ) async throws -> GenerationResult {
    let task = GenerationTask()
    return try await host.result(of: request, task: task) { event in
      if case .text = event { task.stop() }
    }
  }

  @Test func conversationsThatTakeTurnsKeepTheirCaches() async throws {
    let host = try TinyChat.host()
    var chats = [[TinyChat.user("My name is Anna.")], [TinyChat.user("My name is Omar.")]]
    for index in chats.indices {
      let reply = try await answer(host, chats[index], owner: UInt64(index))
      chats[index] += [TinyChat.assistant(reply.rawText), TinyChat.user("What is my name?")]
    }
    for index in chats.indices {
      let reply = try await answer(host, chats[index], owner: UInt64(index))
      #expect(reply.stats.cachedTokens > 15)
      #expect(try await cold(chats[index]).tokens == reply.tokens)
    }
  }

  @Test func moreConversationsThanSequencesStillAnswerRight() async throws {
    let host = try TinyChat.host(LoadOptions(contextLength: 512, maximumSequences: 2))
    for round in 0..<2 {
      for (owner, city) in ["France", "Italy", "Spain", "Japan"].enumerated() {
        let messages = [TinyChat.user("What is the capital of \(city)?")]
        let reply = try await answer(host, messages, owner: UInt64(owner))
        #expect(try await cold(messages).tokens == reply.tokens, "round \(round), \(city)")
      }
    }
  }

  @Test func aNewConversationThatGoesOnFromAnOldOneReusesItsState() async throws {
    let host = try TinyChat.host()
    var messages = [
      TinyChat.system("You are a helpful assistant. Answer in one short sentence, please."),
      TinyChat.user("What is the capital of France?"),
    ]
    let first = try await answer(host, messages, owner: 1)
    messages += [TinyChat.assistant(first.rawText), TinyChat.user("Hello!")]
    let second = try await answer(host, messages, owner: 2)
    #expect(second.stats.cachedTokens >= first.stats.promptTokens)
    #expect(try await cold(messages).tokens == second.tokens)
    // The copy did not disturb the original.
    #expect(try await answer(host, messages, owner: 1).tokens == second.tokens)
  }

  @Test func promptsOfOneToFourTokensWork() async throws {
    let host = try TinyChat.host()
    for count in 1...4 {
      let request = GenerationRequest(
        source: .tokens([1, 6, 300, 301].prefix(count).map { $0 }),
        settings: GenerationSettings(sampling: SamplingOptions(temperature: 0), maximumTokens: 8))
      let result = try await host.result(of: request)
      #expect(!result.tokens.isEmpty)
      #expect(try await TinyChat.host().result(of: request).tokens == result.tokens)
    }
  }

  @Test func aFullContextEndsTheAnswer() async throws {
    let host = try TinyChat.host(LoadOptions(contextLength: 64))
    let result = try await host.result(
      of: TinyChat.request([TinyChat.user("Tell me a story about a fox.")], limit: nil))
    #expect(result.finishReason == .contextFull)
    #expect(result.stats.promptTokens + result.tokens.count == 64)
  }

  @Test func aPromptThatDoesNotFitIsRefusedAndTheNextOneIsAnswered() async throws {
    let host = try TinyChat.host(LoadOptions(contextLength: 64))
    for length in [1_000, 1_000_000] {
      let events = Locked(0)
      let error = await #expect(throws: GenerationError.self) {
        try await host.result(
          of: TinyChat.request([TinyChat.user(String(repeating: "a ", count: length))])
        ) {
          _ in events.withLock { $0 += 1 }
        }
      }
      guard case .promptTooLong(let tokens, limit: 64)? = error else {
        Issue.record("wrong error: \(String(describing: error))")
        return
      }
      #expect(tokens > 64)
      #expect(events.withLock { $0 } == 0)
    }
    #expect(
      try await answer(host, [TinyChat.user("What is the capital of France?")]).text
        == "The capital of France is Paris.")
  }

  @Test func equalSeedsGiveEqualAnswers() async throws {
    let host = try TinyChat.host()
    func sample(_ seed: UInt64) async throws -> [Int32] {
      var request = TinyChat.request([TinyChat.user("Tell me a story about a fox.")])
      request.settings.sampling = SamplingOptions(
        temperature: 1, topK: 0, topP: 1, minP: 0, seed: seed)
      return try await host.result(of: request).tokens
    }
    #expect(try await sample(7) == sample(7))
    var different: Set<[Int32]> = []
    for seed: UInt64 in 0..<5 { different.insert(try await sample(seed)) }
    #expect(different.count > 1)
  }

  @Test func shuttingDownStopsWhatRunsAndRefusesWhatComes() async throws {
    let host = try TinyChat.host()
    let request = TinyChat.endlessRequest
    let results = Locked<[Bool]>([])
    @Sendable func record(_ result: Result<GenerationResult, GenerationError>) {
      var isUnloaded = false
      if case .failure(.unloaded) = result { isUnloaded = true }
      results.withLock { $0.append(isUnloaded) }
    }
    let started = AsyncStream<Void>.makeStream()
    let onEvent: @Sendable (GenerationEvent) -> Void = { _ in
      started.continuation.yield()
      // The answer must not end by itself before the host is told to stop.
      while !host.isShuttingDown { Thread.sleep(forTimeInterval: 0.001) }
    }
    host.submit(request, onEvent: onEvent, completion: record)
    for _ in 0..<3 { host.submit(request, completion: record) }
    for await _ in started.stream { break }
    await host.shutDown()
    host.submit(request, completion: record)
    #expect(results.withLock { $0 } == [true, true, true, true, true])
    await host.shutDown()
  }

  @Test func aHostThatIsDroppedWhileGeneratingEndsItsGeneration() async throws {
    let result = await withCheckedContinuation { continuation in
      do {
        let host = try TinyChat.host()
        host.submit(
          TinyChat.endlessRequest, completion: { continuation.resume(returning: Optional($0)) })
      } catch {
        continuation.resume(returning: nil)
      }
    }
    guard case .failure(.unloaded)? = result else {
      Issue.record("unexpected \(String(describing: result))")
      return
    }
  }
}
