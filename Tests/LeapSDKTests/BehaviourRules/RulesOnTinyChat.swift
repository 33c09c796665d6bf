import Dispatch
import Foundation
import Generation
import Testing

@testable import LeapSDK

/// The rules on the bundled model: starting, events, history. The runner serves its conversations
/// one after another, so what was asked first is over when a later answer is.
@Suite struct RulesOnTinyChat {
  private let question = "What is the capital of France?"
  private let answer = "The capital of France is Paris."

  private func barrier(_ runner: any ModelRunner) async throws {
    let (chunks, _) = try await runner.createConversation().generateResponse(
      userTextMessage: question, generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == answer)
  }

  @Test func b01_anAnswerIsGeneratedWithoutAReader() async throws {
    let runner = try TinyChat.shared.get()
    let conversation = runner.createConversation()
    let stream = conversation.generateResponse(
      userTextMessage: question, generationOptions: TinyChat.greedy)
    #expect(conversation.history == [.user(question)])
    try await barrier(runner)
    #expect(conversation.history == [.user(question), .assistant(answer)])
    #expect(try await stream.answer().chunks == answer)
  }

  @Test func b02_b05_b08_chunksComeFirstAndAtCompleteAllIsDone() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    var kinds: [String] = []
    for try await response in conversation.generateResponse(
      userTextMessage: question, generationOptions: TinyChat.greedy)
    {
      switch response {
      case .chunk:
        kinds.append("chunk")
      case .complete(let completion):
        kinds.append("complete")
        #expect(conversation.history.last == completion.message)
        #expect(!conversation.isGenerating)
      default:
        kinds.append("other")
      }
    }
    #expect(kinds.count > 2)
    #expect(kinds.dropLast().allSatisfy { $0 == "chunk" } && kinds.last == "complete")
  }

  @Test func b03_b04_aSecondCallWhileGeneratingChangesNothing() async throws {
    let runner = try TinyChat.shared.get()
    let conversation = runner.createConversation()
    let first = conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: TinyChat.endless)
    #expect(try await conversation.generateResponse(userTextMessage: "Hi").summaries() == [])
    let recorder = CallbackRecorder()
    let handler = conversation.generateResponse(message: .user("Hi")) { recorder.record($0) }
    #expect(handler == nil)
    #expect(await recorder.summaries() == ["complete "])
    #expect(conversation.history == [.user("Hello!")] && conversation.isGenerating)
    withExtendedLifetime(first) {}
  }

  @Test func b17_aBlockedMainThreadStopsNoStream() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    let isAnswered = DispatchSemaphore(value: 0)
    DispatchQueue.main.async { isAnswered.wait() }
    defer { isAnswered.signal() }
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: question, generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == answer)
  }

  @Test func b18_resetHistoryChangesNeitherHistoryNorAnswer() async throws {
    let runner = try TinyChat.shared.get()
    var histories: [[ChatMessage]] = []
    for resets in [true, false] {
      let conversation = runner.createConversation()
      for text in ["My name is Anna.", "What is my name?"] {
        _ = try await conversation.generateResponse(
          userTextMessage: text,
          generationOptions: GenerationOptions(temperature: 0, resetHistory: resets)
        ).answer()
      }
      histories.append(conversation.history)
    }
    #expect(histories[0] == histories[1])
    #expect(histories[0].last == .assistant("Your name is Anna."))
  }

  @Test func b21_b25_theChunksAreTheTextOfTheMessage() async throws {
    let runner = try TinyChat.shared.get()
    for seed in 0..<5 {
      var options = TinyChat.endless
      options.rngSeed = UInt64(seed)
      options.maxOutputTokens = 20
      let (chunks, completion) = try await runner.createConversation().generateResponse(
        userTextMessage: "Hello!", generationOptions: options
      ).answer()
      let message = try #require(completion?.message)
      guard case .text(let text)? = message.content.first, message.content.count == 1 else {
        Issue.record("\(message)")
        continue
      }
      #expect(chunks == text)
    }
  }

  @Test func b27_promptTokensCountTheWholePromptWhateverTheCacheHolds() async throws {
    let conversation = try await TinyChat.runner().createConversation()
    _ = try await conversation.generateResponse(
      userTextMessage: "My name is Anna.", generationOptions: TinyChat.greedy
    ).answer()
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "What is my name?", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == "Your name is Anna.")
    let stats = try #require(completion?.stats)
    #expect(stats.cachedPromptTokens > 15)
    #expect(stats.promptTokens > stats.cachedPromptTokens)
    #expect(stats.totalTokens == stats.promptTokens + stats.completionTokens)
  }

  /// What chat apps do in `send()`: cancel the running task and ask again at once.
  @Test @MainActor func b28_aMessageSentRightAfterCancellingIsAnswered() async throws {
    let conversation = try await TinyChat.runner().createConversation()
    for _ in 0..<20 {
      let first = conversation.generateResponse(
        message: .user("Hello!"), generationOptions: TinyChat.endless)
      let task = Task { for try await _ in first {} }
      await Task.yield()
      task.cancel()
      let second = conversation.generateResponse(
        message: .user("What is the capital of Italy?"), generationOptions: TinyChat.greedy)
      let answer = try await second.answer()
      #expect(answer.chunks == "The capital of Italy is Rome.")
      #expect(conversation.history.count == 2)
      conversation.removeLastMessage()
      conversation.removeLastMessage()
    }
  }
}
