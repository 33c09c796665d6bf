import LeapSDK

func makeCache() throws {
  let options = LiquidInferenceEngineOptions(
    bundlePath: "model.gguf",
    cacheOptions: .enabled(path: "caches"))
  let runner = try LiquidInferenceEngineRunner(options: options)
  _ = runner
}

func stayOutOfCaches() throws {
  var options = GenerationOptions(temperature: 0)
  options.cacheControl = .noCache
  options.cacheControl = GenerationOptions.CacheControl(policy: .cache, point: "assistant")
  _ = options
}

func suspend(_ conversation: Conversation, to file: URL) async throws {
  try await conversation.saveSession(to: file)
}

func resume(_ runner: any ModelRunner, from file: URL) async throws -> Conversation {
  try await runner.restoreConversation(from: file)
}

func goOnFromTheState() throws {
  let options = GenerationOptions(resetHistory: false)
  _ = options
}
