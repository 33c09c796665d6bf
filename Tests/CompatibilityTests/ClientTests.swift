import FaultServer
import LeapSDK
import TestSupport
import Testing

/// The clients of this folder run: against a script, and on the bundled model.
@Suite struct ClientTests {
  /// A manifest that names the bundled model, removed when the closure returns.
  private nonisolated(nonsending) func withManifest<Result>(
    _ body: (URL) async throws -> Result
  ) async throws -> Result {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("manifest-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    let model = Fixtures.best("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path
    let manifest: [String: Any] = [
      "schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text",
      "load_time_parameters": ["model": model],
      "generation_time_parameters": ["sampling_parameters": ["temperature": 0.0]],
    ]
    try JSONSerialization.data(withJSONObject: manifest).write(to: url)
    return try await body(url)
  }

  @Test @MainActor func thePhotoChatShowsTheWholeAnswer() async {
    let runner = ScriptRunner([
      [.reasoningChunk("hm"), .chunk("A "), .chunk("cat."), .completed("A cat.")]
    ])
    let store = PhotoChatStore()
    store.use(runner)
    await store.send("What is this?", photo: Data([0xFF, 0xD8, 0xFF]))
    #expect(store.bubbles.map(\.text) == ["What is this?", "A cat."])
    #expect(store.conversation?.history.count == 2)
    #expect(runner.seen.first?.first?.content.count == 2)
  }

  @Test @MainActor func aModelThatIsNotThereIsExplained() async {
    await ProcessEnvironment.with(["HF_HUB_OFFLINE": "1"]) {
      let store = PhotoChatStore()
      await store.setUp()
      #expect(store.status.hasPrefix("Failed: The model LFM2-VL-450M:Q8_0 is not on"))
      #expect(!store.isLoading)
    }
  }

  /// A server with the bundled model, known to the process by its environment for the time of a call.
  private nonisolated(nonsending) func withModelServer(
    _ body: (URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("packs-\(UUID().uuidString)")
    let model = try Data(contentsOf: Fixtures.best("tiny-chat/gguf/tiny-chat-q4_k_m.gguf"))
    let manifest = """
      {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text",
       "load_time_parameters": {"model": "Tiny-Chat-Q4_K_M.gguf"}}
      """
    let server = try FaultServer { request in
      switch request.path {
      case "/Tiny-Chat-GGUF/Q4_K_M.json": .file(Data(manifest.utf8), for: request)
      case "/Tiny-Chat-GGUF/Tiny-Chat-Q4_K_M.gguf": .file(model, for: request)
      default: HTTPAnswer(404)
      }
    }
    let variables = [
      "LEAP_MODELS_DIR": folder.path, "LEAP_MODELS_URL": server.url.absoluteString,
      "HF_ENDPOINT": server.url.absoluteString,
    ]
    defer { try? FileManager.default.removeItem(at: folder) }
    try await ProcessEnvironment.with(variables) {
      try await body(server.url.appendingPathComponent("Tiny-Chat-GGUF/Q4_K_M.json"))
    }
  }

  @Test @MainActor func packsAreFetchedKeptAndDeleted() async throws {
    try await withModelServer { manifest in
      let packs = PackLibrary()
      packs.refresh(manifest)
      #expect(!packs.isReady)
      #expect(await packs.fetch(manifest) == "Tiny-Chat-Q4_K_M.gguf")
      packs.refresh(manifest)
      #expect(packs.isReady)
      packs.delete(manifest)
      #expect(!packs.isReady)
      let text = await packs.fetch(manifest.appendingPathExtension("no"))
      #expect(text.contains("nothing at"))
      do {
        _ = try await Leap.load(model: "Absent", quantization: "Q4_0")
      } catch {
        #expect(PackLibrary.describe(error).contains("Absent"))
      }
    }
  }

  @Test @MainActor func aScreenShowsAndManagesAModel() async throws {
    try await withModelServer { _ in
      let screen = ModelScreen()
      screen.refresh()
      #expect(screen.line == "absent")
      #expect(try await screen.megabytes() == 4)
      try await screen.download()
      #expect(screen.line == "ready")
      screen.cancel()
      try screen.remove()
      #expect(screen.line == "absent")
    }
  }

  @Test @MainActor func theVoiceDemoPlaysAndKeepsTheSound() async {
    let sound = ChatMessage(
      role: .assistant,
      content: [.text("Hi"), .fromFloatSamples([0, 0.5], sampleRate: 24_000)])
    let runner = ScriptRunner([
      [
        .chunk("Hi"), .audioSample(samples: [0, 0.5], sampleRate: 24_000),
        .complete(MessageCompletion(message: sound, finishReason: .exceed_context, stats: nil)),
      ]
    ])
    let store = VoiceDemoStore()
    store.use(runner)
    store.sendRecording([0, 1, 0, -1], sampleRate: 44_100)
    await store.finish()
    #expect(store.entries.map(\.role) == [.user, .assistant])
    #expect(store.entries.allSatisfy { $0.audio?.starts(with: Data("RIFF".utf8)) == true })
    #expect(store.played.count == 1 && store.played[0].sampleRate == 24_000)
    #expect(store.streamed == "Hi" && store.status == "Out of context")
  }

  @Test @MainActor func theRecipeIsShownEventByEvent() async throws {
    let model = RecipeViewModel()
    model.modelRunner = ScriptRunner([[.chunk("Beans."), .completed("Beans.")]])
    try await model.generate()
    #expect(model.lines.count == 2 && !model.isBusy)
  }

  @Test func callsAreAnsweredUntilNoneIsLeft() async throws {
    let call = LeapFunctionCall(name: "compute_sum", arguments: ["values": ["2", "3.5"]])
    let runner = ScriptRunner([
      [.functionCall([call]), .completed("", calls: [call])],
      [.chunk("It is 5.5."), .completed("It is 5.5.")],
    ])
    let loop = FunctionCallingLoop(runner.createConversation(systemPrompt: "Calculate."))
    try await loop.ask("What is 2 plus 3.5?")
    #expect(loop.transcript == ["|", "It is 5.5.", "|"])
    #expect(
      loop.conversation.history.map(\.role) == [.system, .user, .assistant, .tool, .assistant])
    guard case .text(let result)? = runner.seen.last?.last?.content.first else {
      Issue.record("no result was sent")
      return
    }
    #expect(result == "Sum = 5.5")
  }

  @Test func theTranscriberReturnsTheText() async throws {
    let transcriber = Transcriber(
      manifestURL: URL(fileURLWithPath: "/absent.json"),
      modelRunner: ScriptRunner([[.chunk(" Hello "), .chunk("there. "), .completed("")]]))
    #expect(try await transcriber.transcribe([0, 1], sampleRate: 16_000) == "Hello there.")
    await transcriber.close()
    #expect(try await transcriber.transcribe([0], sampleRate: 16_000) == "")
    await #expect(throws: LeapError.self) { try await transcriber.prepare(onGPU: false) }
  }

  @Test @MainActor func packsAreLoadedOrExplained() async throws {
    try await withManifest { url in
      let manager = PackManager()
      manager.activate(url)
      await manager.settle()
      #expect(manager.state == .ready)
      await manager.runner?.unload()
      manager.activate(url.appendingPathComponent("nothing"))
      await manager.settle()
      guard case .failed(let text) = manager.state else {
        Issue.record("\(manager.state)")
        return
      }
      #expect(text.hasPrefix("load: There is no manifest"))
      manager.activate(url)
      manager.cancel()
      await manager.settle()
      #expect(manager.state == .cancelled)
    }
  }

  @Test @MainActor func aQuestionThatInterruptsAnotherIsAnswered() async throws {
    try await withManifest { url in
      let model = ChatViewModel()
      model.use(try await Leap.load(manifestURL: url))
      model.send("Tell me a story about a fox.")
      model.send("What is the capital of Italy?")
      await model.generationTask?.value
      let expected = ChatMessage(
        role: .assistant, content: [.text("The capital of Italy is Rome.")])
      #expect(model.messages.last == expected)
      #expect(model.messages.count == 3)
      #expect(model.error == nil && !model.isGenerating)
      await model.close()
    }
  }

  @Test @MainActor func aBridgedChatGetsEveryEvent() async throws {
    let call = LeapFunctionCall(name: "get_weather", arguments: ["city": "Oslo"])
    let store = BridgedChatStore()
    store.use(
      ScriptRunner([
        [
          .reasoningChunk("hm"), .chunk("Hi"), .audioSample(samples: [0], sampleRate: 24_000),
          .functionCall([call]), .completed("Hi", reason: .exceed_context),
        ]
      ]))
    try await store.send("Hello", photo: Data([0xFF, 0xD8]))
    #expect(store.lines == ["(hm)", "Hi", "1 at 24000", "get_weather", "= Hi", "full"])
    try await withManifest { url in
      let store = BridgedChatStore()
      try await store.setUp(url)
      try await store.send("What is the capital of France?")
      #expect(store.lines.last == "= The capital of France is Paris.")
    }
  }

  @Test @MainActor func slogansAreDecodedOrShownAsText() async throws {
    let json =
      #"{"brand":"B","headline":"H","alternatives":["a","b"],"tone":[],"audience":"x","reason":"y"}"#
    let store = SloganStore()
    store.modelRunner = ScriptRunner([
      [.chunk(String(json.prefix(30))), .chunk(String(json.dropFirst(30))), .completed(json)],
      [.chunk("Just buy it."), .completed("Just buy it.")],
    ])
    await store.write(about: "Bread")
    #expect(store.result == .sheet(headline: "H", alternatives: 2))
    await store.write(about: "Bread")
    #expect(store.result == .text("Just buy it."))
    await store.write(about: "Bread")
    #expect(store.result == .failure("The script is at its end."))
  }

  @Test func schemasOfAnnotatedAndOfPlainTypesBecomeConstraints() throws {
    var options = GenerationOptions()
    try options.setResponseFormat(type: Mood.self)
    #expect(options.jsonSchemaConstraint?.contains(#""required""#) == true)
    let schema: String = SloganSheet.jsonSchema()
    #expect(schema.contains("alternatives"))
    #expect(try JSONSchemaGenerator.getJSONSchema(for: SloganSheet.self) == schema)
  }
}
