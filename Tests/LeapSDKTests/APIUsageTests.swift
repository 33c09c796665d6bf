import LeapSDK
import Testing

// Uses of the public API in the shapes client code has. Most of it is only compiled: that it
// compiles is the test.

/// A client's mock: the six requirements and nothing else.
private final class MockRunner: ModelRunner {
  func createConversation(systemPrompt: String?) -> Conversation {
    Conversation(modelRunner: self, history: [])
  }

  func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
    Conversation(modelRunner: self, history: history)
  }

  func generateResponse(
    conversation: Conversation,
    generationOptions: GenerationOptions?,
    onResponseCallback: @escaping (MessageResponse) -> Void,
    onErrorCallback: ((LeapError) -> Void)?
  ) -> GenerationHandler {
    struct Handler: GenerationHandler { func stop() {} }
    onResponseCallback(.chunk("mock"))
    let stats = GenerationStats(
      promptTokens: 1, completionTokens: 1, totalTokens: 2, tokenPerSecond: 3)
    let message = ChatMessage(role: .assistant, content: [.text("mock")])
    onResponseCallback(
      .complete(MessageCompletion(message: message, finishReason: .stop, stats: stats)))
    return Handler()
  }

  func unload() async {}
  var modelId: String { "mock" }
}

@MainActor
private final class ChatViewModel {
  var text = ""
  var isGenerating = false
  var conversation: Conversation?
  var modelRunner: ModelRunner?
  private var task: Task<Void, Never>?
  private var handler: (any GenerationHandler)?

  func load(_ url: URL) async {
    do {
      modelRunner = try await Leap.load(url: url)
      modelRunner = try await Leap.load(
        url: url,
        options: LiquidInferenceEngineOptions(
          bundlePath: url.path, cpuThreads: 4, contextSize: 4096, nGpuLayers: 8))
      conversation = modelRunner?.createConversation(systemPrompt: "Be brief.")
      conversation = modelRunner?.createConversation(systemPrompt: nil)
      conversation = modelRunner?.createConversationFromHistory(history: [])
    } catch LeapError.promptExceedContextLengthFailure {
      text = "too long"
    } catch let error as LeapError {
      switch error {
      case .modelLoadingFailure(let message, _), .generationFailure(let message, _),
        .serializationFailure(let message, _), .invalidInput(let message):
        text = message
      }
    } catch is CancellationError {
      text = "cancelled"
    } catch {
      text = error.localizedDescription
    }
  }

  func send(_ input: String) {
    task?.cancel()
    guard let conversation else { return }
    let message = ChatMessage(role: .user, content: [.text(input)])
    isGenerating = true
    task = Task { [weak self] in
      do {
        for try await response in conversation.generateResponse(
          message: message, generationOptions: GenerationOptions(temperature: 0.7))
        {
          self?.handle(response)
        }
      } catch {
        self?.text = "\(error)"
      }
      self?.isGenerating = false
    }
  }

  private func handle(_ response: MessageResponse) {
    switch response {
    case .chunk(let delta): text += delta
    case .reasoningChunk(let delta): print(delta)
    case .audioSample(let samples, let sampleRate): print(samples.count, sampleRate)
    case .functionCall(let calls):
      for call in calls { print(call.arguments["location"] as? String ?? "Unknown") }
    case .complete(let completion):
      switch completion.info.finishReason {
      case .stop: break
      case .exceed_context: text += "…"
      }
      if let stats = completion.stats { print(stats.tokenPerSecond, stats.totalTokens) }
      text = conversation?.history.last.map { "\($0)" } ?? ""
    }
  }

  func sendWithCallback(_ input: String) {
    let user = ChatMessage(role: .user, content: [.text(input)])
    handler = conversation?.generateResponse(message: user) { response in
      self.handle(response)
    }
    handler?.stop()
  }

  func texts(_ conversation: Conversation) async throws -> [String] {
    let stream: AsyncThrowingStream<MessageResponse, Error> = conversation.generateResponse(
      userTextMessage: "Hi", generationOptions: GenerationOptions(temperature: 0.6, topP: 0.9))
    let chunks = stream.compactMap { response -> String? in
      if case .chunk(let value) = response {
        return value
      }
      return nil
    }
    var result: [String] = []
    for try await chunk in chunks { result.append(chunk) }
    return result
  }

  func persist() throws {
    guard let conversation, let modelRunner else { return }
    let data = try JSONSerialization.data(withJSONObject: conversation.exportToJSON())
    let history = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    self.conversation = modelRunner.createConversationFromHistory(history: history)
    let encoded = try JSONEncoder().encode(conversation.history)
    let decoded = try JSONDecoder().decode([ChatMessage].self, from: encoded)
    self.conversation = modelRunner.createConversationFromHistory(history: decoded)
  }

  func close() async {
    await modelRunner?.unload()
    modelRunner = nil
    conversation = nil
  }
}

/// Client code that adds its own `setResponseFormat`.
extension GenerationOptions {
  fileprivate mutating func setResponseFormat(schema: String) {
    jsonSchemaConstraint = schema
  }
}

private func registerWeather(_ conversation: Conversation) {
  conversation.registerFunction(
    LeapFunction(
      name: "get_weather", description: "Weather of a city",
      parameters: [
        LeapFunctionParameter(
          name: "city", description: "The city", type: .string, required: true,
          enumValues: ["Paris", "Oslo"]),
        LeapFunctionParameter(
          name: "days",
          type: LeapFunctionParameterType.array(
            ArrayType(itemType: LeapFunctionParameterType.string(StringType()))),
          description: "Which days", optional: true),
      ]))
}

@Suite struct APIUsageTests {
  @Test func aClientsMockServesAConversation() async throws {
    let conversation = MockRunner().createConversation()
    registerWeather(conversation)
    var chunks = ""
    for try await response in conversation.generateResponse(userTextMessage: "Hi") {
      if case .chunk(let text) = response { chunks += text }
    }
    #expect(chunks == "mock")
    #expect(conversation.history.count == 2)
    #expect(await MockRunner().getPromptTokensSize(messages: [], addBosToken: true) == 0)
  }

  @Test func theLowLevelCallReachesAMock() {
    let runner: any ModelRunner = MockRunner()
    let conversation = runner.createConversationFromHistory(
      history: [ChatMessage(role: .user, content: [.text("Hi")])])
    let handler = runner.generateResponse(
      conversation: conversation, generationOptions: nil,
      onResponseCallback: { response in _ = response },
      onErrorCallback: { error in _ = error })
    handler.stop()
    #expect(conversation.history.count == 1)
  }

  @Test func optionsTakeTheirLabelsInOrderAndFromLiterals() {
    _ = GenerationOptions()
    _ = GenerationOptions(temperature: 0.7, maxOutputTokens: 512, enableThinking: false)
    _ = GenerationOptions(temperature: 0.0, resetHistory: true, maxOutputTokens: 256)
    _ = GenerationOptions(
      temperature: 0.3, topP: 0.9, minP: 0.15, repetitionPenalty: 1.05,
      jsonSchemaConstraint: nil, functionCallParser: HermesFunctionCallParser())
    var options = GenerationOptions(
      temperature: 1, topP: 1, minP: 0, repetitionPenalty: 1, topK: 40, rngSeed: 7,
      jsonSchemaConstraint: "{}", functionCallParser: nil, injectSchemaIntoPrompt: false,
      resetHistory: false, sequenceLength: 100, maxOutputTokens: 10, enableThinking: true,
      inlineThinkingTags: true, cacheControl: .noCache, extras: "{}")
    options.setResponseFormat(schema: "[]")
    #expect(options.jsonSchemaConstraint == "[]")
    #expect(GenerationOptions().functionCallParser is LFMFunctionCallParser)
    _ = LiquidInferenceEngineManifestOptions(contextSize: 1024, nGpuLayers: 0)
  }

  @Test func qualifiedNamesAreTheSameTypes() {
    let message: LeapSDK.ChatMessage = LeapSDK.ChatMessage(role: .user, content: [.text("Hi")])
    let role: ChatMessage.Role = message.role
    #expect(role.rawValue == "user")
    #expect(GenerationFinishReason.exceedContext == .exceed_context)
  }
}
