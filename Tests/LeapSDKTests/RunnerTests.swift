import Generation
import Dispatch
import Foundation
import Testing

@testable import LeapSDK

/// The conversation's rules on a real model.
@Suite struct RunnerTests {
  @Test func aQuestionIsAnswered() async throws {
    let runner = try TinyChat.shared.get()
    #expect(runner.modelId == "tiny-chat-q4_k_m")
    let conversation = runner.createConversation()
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "What is the capital of France?", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == "The capital of France is Paris.")
    #expect(completion?.message == .assistant(chunks))
    #expect(completion?.finishReason == .stop)
    #expect(conversation.history.count == 2)
    let stats = try #require(completion?.stats)
    #expect(stats.promptTokens == 19)
    #expect(stats.completionTokens == 8)
    #expect(stats.totalTokens == 27)
    #expect(stats.tokenPerSecond > 0)
  }

  @Test func aSystemPromptStartsTheHistory() async throws {
    let conversation = try TinyChat.shared.get().createConversation(
      systemPrompt: "Answer briefly.")
    #expect(
      conversation.history == [ChatMessage(role: .system, content: [.text("Answer briefly.")])])
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: "List three colors.", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks.hasPrefix("1. "))
  }

  @Test func sequenceLengthCapsTheContext() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    var options = TinyChat.endless
    options.sequenceLength = 30
    let (_, completion) = try await conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: options
    ).answer()
    #expect(completion?.finishReason == .exceed_context)
    #expect(completion?.stats?.totalTokens == 30)
  }

  @Test func equalSeedsGiveEqualAnswers() async throws {
    let runner = try TinyChat.shared.get()
    func sample(_ seed: UInt64) async throws -> String {
      try await runner.createConversation().generateResponse(
        userTextMessage: "Tell me a story about a fox.",
        generationOptions: GenerationOptions(
          temperature: 2, topP: 1, minP: 0, topK: 0, rngSeed: seed, maxOutputTokens: 30)
      ).answer().chunks
    }
    #expect(try await sample(3) == sample(3))
    #expect(try await sample(3) != sample(4))
  }

  @Test func whatAModelCannotTakeIsRefusedAndNeverDropped() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    let image = ChatMessage(
      role: .user, content: [.text("What is this?"), .image(Data([0xFF, 0xD8]))])
    let audio = ChatMessage(role: .user, content: [.fromFloatSamples([0], sampleRate: 16_000)])
    for message in [image, audio] {
      await #expect(throws: LeapError.self) {
        try await conversation.generateResponse(message: message).answer()
      }
      #expect(conversation.history.isEmpty)
    }
    for options in [
      GenerationOptions(jsonSchemaConstraint: "{"), GenerationOptions(temperature: .nan),
      GenerationOptions(topP: 7), GenerationOptions(minP: -1),
    ] {
      do {
        _ = try await conversation.generateResponse(
          userTextMessage: "Hi", generationOptions: options
        ).answer()
        Issue.record("no error")
      } catch LeapError.invalidInput(let text) {
        #expect(!text.isEmpty)
      }
    }
    #expect(conversation.history.isEmpty)
  }

  @Test func promptLengthsAreThoseOfTheTemplate() async throws {
    let runner = try TinyChat.shared.get()
    let messages = [ChatMessage.user("What is the capital of France?")]
    #expect(await runner.getPromptTokensSize(messages: messages, addBosToken: true) == 19)
    #expect(await runner.getPromptTokensSize(messages: messages, addBosToken: false) == 18)
  }
}
