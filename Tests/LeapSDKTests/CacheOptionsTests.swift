import Generation
import TestSupport
import Testing

@testable import LeapSDK

@Suite struct CacheOptionsTests {
  @Test func theOptionsAreThoseOfTheEngine() throws {
    #expect(PrefixCacheOptions(LiquidCacheOptions(path: "a", enabled: false)) == nil)
    #expect(
      PrefixCacheOptions(.enabled(path: "a"))
        == PrefixCacheOptions(folder: "a", maximumFiles: 40, maximumStates: 40))
    #expect(
      PrefixCacheOptions(LiquidCacheOptions(path: "a", maxEntries: 3))
        == PrefixCacheOptions(folder: "a", maximumFiles: 3, maximumStates: 3))
    let all = LiquidCacheOptions(
      path: "a", maxEntriesDisk: 1, maxEntriesMemory: 2, maxBytesMemory: 3, diskDisabled: true)
    #expect(
      PrefixCacheOptions(all)
        == PrefixCacheOptions(maximumFiles: 1, maximumStates: 2, maximumBytes: 3))
    #expect(PrefixCacheOptions(LiquidCacheOptions(path: ""))?.folder == nil)
    #expect(try LoadOptions(LiquidInferenceEngineOptions(bundlePath: "m")).prefixCache == nil)
  }

  @Test func aSecondStartFindsTheFirstOnesText() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("leap-cache-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let options = LiquidInferenceEngineOptions(
      bundlePath: TinyChat.url.path, cacheOptions: .enabled(path: folder.path))
    let system = "You are a helpful assistant. Answer in one short sentence, please. Be brief."
    var cached: [UInt64] = []
    var texts: Set<String> = []
    for control in [.cache, .cache, .noCache] as [GenerationOptions.CacheControl] {
      let runner = try LiquidInferenceEngineRunner(options: options)
      var generation = TinyChat.greedy
      generation.cacheControl = control
      let completion = try await runner.createConversation(systemPrompt: system)
        .generateResponse(userTextMessage: "Hello!", generationOptions: generation)
        .answer().completion
      cached.append(completion?.stats?.cachedPromptTokens ?? 999)
      texts.insert(completion?.message.text ?? "")
      #expect(runner.cacheWarnings.isEmpty)
      await runner.unload()
    }
    #expect(cached[0] == 0 && cached[1] > 20 && cached[2] == 0)
    #expect(texts.count == 1)
  }
}

/// `resetHistory: false`.
@Suite struct ResetHistoryTests {
  private func answer(
    _ conversation: Conversation, _ text: String, resetHistory: Bool
  ) async throws -> String? {
    var options = TinyChat.greedy
    options.resetHistory = resetHistory
    return try await conversation.generateResponse(
      userTextMessage: text, generationOptions: options
    ).answer().completion?.message.text
  }

  @Test func theStateIsContinuedAndTheHistoryKept() async throws {
    let runner = try TinyChat.shared.get()
    let conversation = runner.createConversation(systemPrompt: nil)
    _ = try await answer(conversation, "My name is Anna.", resetHistory: true)
    conversation.removeLastMessage()
    conversation.removeLastMessage()
    let edited: [ChatMessage] = [.user("Hello!"), .assistant("Hello!")]
    for message in edited { conversation.appendToHistory(message) }
    #expect(
      try await answer(conversation, "What is my name?", resetHistory: false)
        == "Your name is Anna.")
    #expect(
      conversation.history
        == edited + [.user("What is my name?"), .assistant("Your name is Anna.")])
    // The ordinary way knows only the history.
    conversation.removeLastMessage()
    conversation.removeLastMessage()
    #expect(
      try await answer(conversation, "What is my name?", resetHistory: true)
        != "Your name is Anna.")
  }

  @Test func onlyAFinishedAnswerLeavesAStateToContinue() {
    var state = ConversationState(history: [])
    #expect(!state.hasState)
    let first = state.begin(answering: .user("a")) ?? 0
    let isComplete = state.complete(first, with: .assistant("b"))
    #expect(isComplete)
    #expect(state.hasState)
    let second = state.begin(answering: .user("c")) ?? 0
    let isAbandoned = state.abandon(second)
    #expect(isAbandoned)
    #expect(!state.hasState, "the engine's state holds a question that the history does not")
    state.restore(history: [.user("a")], functions: [], hasState: true)
    #expect(state.hasState && state.history == [.user("a")])
  }
}
