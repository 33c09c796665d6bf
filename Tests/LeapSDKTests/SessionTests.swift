import Generation
import TestSupport
import Testing

@testable import LeapSDK

@Suite struct ConversationSessionTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("leap-session-\(UUID().uuidString)")
  private var file: URL { folder.appendingPathComponent("anna.session") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func withFolder(_ body: () async throws -> Void) async rethrows {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  private func answer(
    _ conversation: Conversation, _ text: String, resetHistory: Bool = true
  ) async throws -> MessageCompletion {
    var options = TinyChat.greedy
    options.resetHistory = resetHistory
    return try #require(
      await conversation.generateResponse(userTextMessage: text, generationOptions: options)
        .answer().completion)
  }

  @Test func aRestoredConversationGoesOnAsIfItHadNotStopped() async throws {
    try await withFolder {
      let runner = try await TinyChat.runner()
      let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
      let parameter = LeapFunctionParameter(
        name: "city", type: .string(StringType(enumValues: ["Paris"], description: "a")),
        description: "b", optional: true)
      conversation.registerFunction(
        LeapFunction(name: "get_weather", description: "The weather.", parameters: [parameter]))
      _ = try await answer(conversation, "My name is Anna.")
      try await conversation.saveSession(to: file)
      let saved = conversation.history
      let expected = try await answer(conversation, "What is my name?")

      for resetHistory in [true, false] {
        let other = try await TinyChat.runner(contextSize: 512)
        let restored = try await other.restoreConversation(from: file)
        #expect(restored.history == saved)
        #expect(restored.functions == conversation.functions)
        let resumed = try await answer(restored, "What is my name?", resetHistory: resetHistory)
        #expect(resumed.message == expected.message)
        #expect(resumed.stats?.cachedPromptTokens == expected.stats?.cachedPromptTokens)
        #expect(restored.history == conversation.history)
      }
    }
  }

  @Test func aSessionOfAnotherModelGivesItsHistoryIfThatIsAllowed() async throws {
    try await withFolder {
      let runner = try await TinyChat.runner()
      let conversation = runner.createConversation(systemPrompt: nil)
      _ = try await answer(conversation, "My name is Anna.")
      try await conversation.saveSession(to: file)
      let other = folder.appendingPathComponent("other.gguf")
      var bytes = try Data(contentsOf: TinyChat.url)
      bytes[bytes.count - 1_000] ^= 1
      try bytes.write(to: other)
      let otherRunner = try await Leap.load(url: other)
      let error = await #expect(throws: LeapError.self) {
        try await otherRunner.restoreConversation(from: file)
      }
      #expect(error?.description.contains("another model") == true)
      let restored = try await otherRunner.restoreConversation(from: file, allowingOtherModel: true)
      #expect(restored.history == conversation.history)
      let reply = try await answer(restored, "What is my name?", resetHistory: false)
      #expect(reply.stats?.cachedPromptTokens == 0)
      #expect(reply.message.text == "Your name is Anna.")
    }
  }

  @Test func whatCannotBeSavedOrRestoredIsRefusedWithTheReason() async throws {
    try await withFolder {
      let runner = try await TinyChat.runner()
      let conversation = runner.createConversation(systemPrompt: nil)
      func error(_ body: () async throws -> Void) async -> String {
        await #expect(throws: LeapError.self) { try await body() }?.description ?? ""
      }
      let missing = await error { _ = try await runner.restoreConversation(from: file) }
      #expect(missing.contains("anna.session") && missing.contains("No such file"))
      let folderMissing = await error {
        try await conversation.saveSession(to: URL(fileURLWithPath: "/nowhere/a.session"))
      }
      #expect(folderMissing.contains("/nowhere/a.session"))
      try Data("no session".utf8).write(to: file)
      let foreign = await error {
        _ = try await runner.restoreConversation(from: file, allowingOtherModel: true)
      }
      #expect(foreign.contains("no saved state"))

      let mock = Conversation(modelRunner: ScriptedRunner(), history: [])
      #expect(await error { try await mock.saveSession(to: file) }.contains("cannot") == false)
      await #expect(throws: LeapError.self) {
        try await ScriptedRunner().restoreConversation(from: file)
      }
      let stream = conversation.generateResponse(
        userTextMessage: "Hello!", generationOptions: TinyChat.endless)
      #expect(await error { try await conversation.saveSession(to: file) }.contains("generating"))
      _ = stream
      await runner.unload()
      #expect(await error { try await conversation.saveSession(to: file) }.isEmpty == false)
      #expect(try Data(contentsOf: file) == Data("no session".utf8))
    }
  }

  @Test func aSessionWhoseContentIsNoHistoryIsRefused() throws {
    for text in ["", "[", "{\"messages\": [1]}", "{\"functions\": [{}]}"] {
      #expect(throws: LeapError.self) { try SessionContent(Array(text.utf8)) }
    }
    let content = SessionContent(
      history: [
        ChatMessage(
          role: .assistant, content: [.text("a")], reasoningContent: "b",
          functionCalls: [LeapFunctionCall(name: "f", arguments: ["x": 1])])
      ], functions: [])
    #expect(try SessionContent(content.bytes()).history == content.history)
  }
}
