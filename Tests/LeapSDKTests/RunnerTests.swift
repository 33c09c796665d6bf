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

  @Test func theSecondTurnRemembersTheFirstAndReusesItsState() async throws {
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

  @Test func aCallOfARegisteredFunctionIsShownAsTheModelWritesIt() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    conversation.registerFunction(
      LeapFunction(
        name: "get_weather", description: "Get the current weather for a location",
        parameters: [
          LeapFunctionParameter(name: "location", type: .string, description: "City name"),
          LeapFunctionParameter(
            name: "unit", type: .string(StringType(enumValues: ["celsius", "fahrenheit"])),
            description: "Temperature unit", optional: true),
        ]))
    let (chunks, _) = try await conversation.generateResponse(
      userTextMessage: "What is the weather in Paris?", generationOptions: TinyChat.greedy
    ).answer()
    #expect(chunks == #"<|tool_call_start|>[get_weather(location="Paris")]<|tool_call_end|>"#)
    let (answer, _) = try await conversation.generateResponse(
      message: ChatMessage(
        role: .tool, content: [.text(#"{"temperature": 18, "condition": "sunny"}"#)]),
      generationOptions: TinyChat.greedy
    ).answer()
    #expect(answer == "The weather in Paris is sunny with 18 degrees.")
  }

  @Test func theTokenLimitEndsTheAnswerWithStop() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "Count from 3 to 9.",
      generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 4)
    ).answer()
    #expect(completion?.finishReason == .stop)
    #expect(completion?.stats?.completionTokens == 4)
    #expect("3, 4, 5, 6, 7, 8, 9.".hasPrefix(chunks))
  }

  @Test func aFullContextEndsTheAnswerWithExceedContext() async throws {
    let conversation = try await TinyChat.runner(contextSize: 64).createConversation()
    let (_, completion) = try await conversation.generateResponse(
      userTextMessage: "Hello!", generationOptions: TinyChat.endless
    ).answer()
    #expect(completion?.finishReason == .exceed_context)
    #expect(completion?.stats?.totalTokens == 64)
    #expect(conversation.history.count == 2)
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

  @Test func aPromptThatDoesNotFitThrowsBeforeAnyChunkAndLeavesTheHistory() async throws {
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
      GenerationOptions(jsonSchemaConstraint: "{}"), GenerationOptions(temperature: .nan),
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

  @Test func stoppingDeliversWhatWasGenerated() async throws {
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

  @Test func theLowLevelCallReportsErrorsAndLeavesTheHistory() async throws {
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

  @Test func promptLengthsAreThoseOfTheTemplate() async throws {
    let runner = try TinyChat.shared.get()
    let messages = [ChatMessage.user("What is the capital of France?")]
    #expect(await runner.getPromptTokensSize(messages: messages, addBosToken: true) == 19)
    #expect(await runner.getPromptTokensSize(messages: messages, addBosToken: false) == 18)
  }
}
