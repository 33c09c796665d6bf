import Foundation
import Generation
import Testing

@testable import LeapSDK

@Suite struct GenerationOptionsTests {
  /// Only gives the defaults.
  private static let model = Result { try LoadedModel.load(path: TinyChat.url.path) }

  private func settings(_ options: GenerationOptions) throws -> GenerationSettings {
    let model = try Self.model.get()
    let conversation = Conversation(modelRunner: ScriptedRunner(), history: [.user("Hi")])
    return try GenerationRequest(conversation, options, model).settings
  }

  private func problem(_ options: GenerationOptions) -> String {
    do {
      _ = try settings(options)
      return "none"
    } catch LeapError.invalidInput(let text) {
      return text
    } catch {
      return "another error: \(error)"
    }
  }

  @Test func extrasSetWhatTheOptionsHaveNoFieldFor() throws {
    let read = try settings(
      GenerationOptions(
        extras: """
          {"stop": ["END", "\\n\\n"], "presence_penalty": 0.5, "frequency_penalty": "0.25",
           "typical_p": 0.9, "penalty_last_n": "-1", "context_overflow": "drop_oldest",
           "n_gpu_layers": 4, "mlock": null, "lookup": true}
          """))
    #expect(read.usesLookup == true)
    #expect(try settings(GenerationOptions()).usesLookup == nil)
    #expect(read.stops == ["END", "\n\n"])
    #expect(read.sampling.presencePenalty == 0.5)
    #expect(read.sampling.frequencyPenalty == 0.25)
    #expect(read.sampling.typicalP == 0.9)
    #expect(read.sampling.penaltyLastN == -1)
    #expect(read.contextOverflow == .dropOldest)
    #expect(try settings(GenerationOptions(extras: #"{"stop": "END"}"#)).stops == ["END"])
    #expect(try settings(GenerationOptions(extras: " ")).stops == [])
  }

  @Test(arguments: [
    #"{"stop": 3}"#, #"{"stop": ["a", 3]}"#, #"{"presence_penalty": "much"}"#,
    #"{"frequency_penalty": []}"#, #"{"typical_p": {}}"#, #"{"penalty_last_n": 1.5}"#,
    #"{"chat_template_kwargs": "keep"}"#, #"{"context_overflow": "drop"}"#,
    #"{"presence_penalty": 1e300}"#, #"{"lookup": "always"}"#,
  ])
  func anExtraOfTheWrongTypeIsNamed(extras: String) throws {
    let key = try #require(extras.split(separator: "\"").dropFirst().first)
    let text = problem(GenerationOptions(extras: extras))
    #expect(text.contains("\"\(key)\" in extras must be"), "\(text)")
  }

  @Test func extrasThatAreNoJSONObjectAreRefused() {
    for extras in ["{", "[]", "3", "\"x\"", "{\"typical_p\": 1e999}"] {
      #expect(problem(GenerationOptions(extras: extras)).contains("extras"), "\(extras)")
    }
  }

  @Test func valuesOutOfRangeAreRefusedByName() {
    for (options, name) in [
      (GenerationOptions(temperature: .nan), "temperature"),
      (GenerationOptions(temperature: -1), "temperature"),
      (GenerationOptions(topP: .infinity), "topP"), (GenerationOptions(topP: 1.5), "topP"),
      (GenerationOptions(minP: -.nan), "minP"), (GenerationOptions(topK: -1), "topK"),
      (GenerationOptions(repetitionPenalty: 0), "repetitionPenalty"),
      (GenerationOptions(extras: #"{"typical_p": 2}"#), "typicalP"),
      (GenerationOptions(extras: #"{"penalty_last_n": -2}"#), "penaltyLastN"),
    ] {
      #expect(refusal(options).contains(name), "\(options)")
    }
  }

  /// The error of a generation with these options.
  private func refusal(_ options: GenerationOptions) -> String {
    let text = problem(options)
    guard text == "none", let read = try? settings(options) else { return text }
    do {
      try read.sampling.validate()
      return "none"
    } catch { return error.description }
  }

  @Test func aBadValueDoesNotStick() throws {
    var options = GenerationOptions(extras: #"{"typical_p": "abc"}"#)
    #expect(problem(options) != "none")
    options.extras = #"{"typical_p": "0.3"}"#
    #expect(try settings(options).sampling.typicalP == 0.3)
  }

  @Test func theBuilderChangesACopy() {
    let plain = GenerationOptions()
    let built = plain.with(temperature: 0.5).with(topP: 0.9).with(minP: 0.1)
      .with(repetitionPenalty: 1.1).with(topK: 40).with(rngSeed: 7).with(jsonSchema: "{}")
      .with(maxTokens: 100)
    #expect(built.temperature == 0.5 && built.topP == 0.9 && built.minP == 0.1)
    #expect(built.repetitionPenalty == 1.1 && built.topK == 40 && built.rngSeed == 7)
    #expect(built.jsonSchemaConstraint == "{}" && built.maxOutputTokens == 100)
    #expect(plain.temperature == nil && plain.maxOutputTokens == nil)
    var options = plain
    options.maxTokens = -3
    #expect(options.maxOutputTokens == 0)
    options.maxOutputTokens = .max
    #expect(options.maxTokens == .max)
  }

  @Test func stopTextsEndTheAnswerAndAreNotPartOfIt() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "What is the capital of France?",
      generationOptions: GenerationOptions(temperature: 0, extras: #"{"stop": " is Par"}"#)
    ).answer()
    #expect(chunks == "The capital of France")
    #expect(completion?.finishReason == .stop)
    #expect(completion?.message == .assistant(chunks))
  }

  @Test func noTokensAtAllGiveAnEmptyAnswer() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    let (chunks, completion) = try await conversation.generateResponse(
      userTextMessage: "Hello!",
      generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 0)
    ).answer()
    #expect(chunks == "")
    #expect(completion?.finishReason == .stop)
    #expect(completion?.stats?.completionTokens == 0)
  }

  @Test func theOldestTurnsMakeRoomAndTheHistoryStays() async throws {
    let runner = try await TinyChat.runner(contextSize: 96)
    var history: [ChatMessage] = []
    for _ in 0..<10 { history += [.user("Hello!"), .assistant("Hello!")] }
    history += [.user("My name is Anna."), .assistant("Hello, Anna!")]
    let conversation = runner.createConversationFromHistory(history: history)
    await #expect(throws: LeapError.self) {
      try await conversation.generateResponse(userTextMessage: "What is my name?").answer()
    }
    for options in [
      GenerationOptions(temperature: 0, contextOverflow: .dropOldest),
      GenerationOptions(temperature: 0, extras: #"{"context_overflow": "drop_oldest"}"#),
    ] {
      let (chunks, completion) = try await conversation.generateResponse(
        userTextMessage: "What is my name?", generationOptions: options
      ).answer()
      #expect(chunks == "Your name is Anna.")
      #expect(completion?.finishReason == .stop)
    }
    #expect(Array(conversation.history.prefix(22)) == history)
    #expect(conversation.history.count == 26)
  }

  @Test func tenThousandMessagesAreCutInLinearTime() async throws {
    let runner = try await TinyChat.runner(contextSize: 128)
    var history: [ChatMessage] = []
    for _ in 0..<5_000 { history += [.user("Hi"), .assistant("Hi")] }
    let conversation = runner.createConversationFromHistory(history: history)
    let start = ContinuousClock.now
    let (_, completion) = try await conversation.generateResponse(
      userTextMessage: "Hello!",
      generationOptions: GenerationOptions(
        temperature: 0, maxOutputTokens: 5, contextOverflow: .dropOldest)
    ).answer()
    #expect(completion?.stats?.completionTokens == 5)
    // Debug builds on a busy machine take seconds; a rendering per turn would take hours.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func templateVariablesReachTheTemplate() async throws {
    let template = "{{ greeting | default('none') }} {{ enable_thinking }}"
    let options = LiquidInferenceEngineOptions(
      bundlePath: TinyChat.url.path, chatTemplate: template)
    let model = try LoadedModel.load(path: TinyChat.url.path, options: LoadOptions(options))
    func text(_ options: GenerationOptions) throws -> String? {
      let conversation = Conversation(modelRunner: ScriptedRunner(), history: [.user("Hi")])
      let request = try GenerationRequest(conversation, options, model)
      guard case .messages(let messages, let tools, let variables) = request.source else {
        return nil
      }
      return try model.prompts.prompt(messages: messages, tools: tools, variables: variables).text
    }
    #expect(try text(GenerationOptions(enableThinking: true))?.hasSuffix("none True") == true)
    let extras = #"{"chat_template_kwargs": {"greeting": "hi", "enable_thinking": true}}"#
    #expect(try text(GenerationOptions(extras: extras))?.hasSuffix("hi True") == true)
  }
}
