import Foundation
import Testing

@testable import LeapSDK

/// Cancelling, unloading, dropping, and several conversations at once.
@Suite struct RunnerLifetimeTests {
  @Test func severalConversationsAreServedOneAfterAnotherAndEachIsRight() async throws {
    let runner = try await TinyChat.runner()
    let capitals = ["France": "Paris", "Italy": "Rome", "Japan": "Tokyo", "Spain": "Madrid"]
    let conversations = capitals.map { ($0, $1, runner.createConversation()) }
    await withTaskGroup(of: Void.self) { group in
      for (country, capital, conversation) in conversations {
        group.addTask {
          for _ in 0..<3 {
            let answer = try? await conversation.generateResponse(
              userTextMessage: "What is the capital of \(country)?",
              generationOptions: TinyChat.greedy
            ).answer()
            #expect(answer?.chunks == "The capital of \(country) is \(capital).")
          }
        }
      }
    }
  }

  @Test func twoHundredStartsAndCancelsLeaveTheConversationUsable() async throws {
    let runner = try await TinyChat.runner()
    let conversation = runner.createConversation()
    for round in 0..<200 {
      let stream = conversation.generateResponse(
        message: .user("Hello!"), generationOptions: TinyChat.endless)
      switch round % 4 {
      case 0:  // never read
        break
      case 1:  // left after the first event
        for try await _ in stream { break }
      case 2:  // task cancelled at once
        let task = Task { for try await _ in stream {} }
        task.cancel()
        _ = try await task.value
      default:  // task cancelled a little later
        let task = Task { for try await _ in stream {} }
        try await Task.sleep(for: .microseconds(Int.random(in: 0..<3_000)))
        task.cancel()
        _ = try await task.value
      }
    }
    #expect(!conversation.isGenerating)
    #expect(conversation.history.allSatisfy { $0.role != .user } || conversation.history.isEmpty)
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: "What is the capital of France?", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == "The capital of France is Paris.")
  }

  @Test func unloadingEndsWhatIsGeneratedWithAnErrorAndLeavesTheHistoryReadable() async throws {
    let runner = try await TinyChat.runner()
    let conversation = runner.createConversationFromHistory(
      history: [.user("a"), .assistant("b")])
    let stream = conversation.generateResponse(
      message: .user("Hello!"), generationOptions: TinyChat.endless)
    let reading = Task { try await stream.answer() }
    try await Task.sleep(for: .milliseconds(20))
    await runner.unload()
    await #expect(throws: LeapError.self) { try await reading.value }
    #expect(conversation.history == [.user("a"), .assistant("b")])
    #expect(try conversation.exportToJSON().count == 2)
    await #expect(throws: LeapError.self) {
      try await conversation.generateResponse(userTextMessage: "Hi").answer()
    }
    #expect(!conversation.isGenerating)
    await runner.unload()
    #expect(runner.modelId == "tiny-chat-q4_k_m")
    #expect(await runner.getPromptTokensSize(messages: [.user("a")], addBosToken: true) == 0)
  }

  @Test func loadingAndUnloadingInTurnEnds() async throws {
    for round in 0..<20 {
      let runner = try await TinyChat.runner()
      let conversation = runner.createConversation()
      let stream = conversation.generateResponse(
        message: .user("Hello!"), generationOptions: TinyChat.endless)
      if round % 2 == 0 { for try await _ in stream { break } }
      await runner.unload()
    }
  }

  @Test func aRunnerThatIsDroppedWhileGeneratingIsNoDanger() async throws {
    for _ in 0..<10 {
      let stream = try await TinyChat.runner().createConversation().generateResponse(
        message: .user("What is the capital of France?"), generationOptions: TinyChat.greedy)
      #expect(try await stream.answer().chunks == "The capital of France is Paris.")
    }
  }
}
