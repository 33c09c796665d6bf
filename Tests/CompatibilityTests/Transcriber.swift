import LeapSDK

/// Speech to text from a manifest, in the manner of apps written for 0.9.4.
actor Transcriber {
  private let manifestURL: URL
  private var modelRunner: (any ModelRunner)?

  init(manifestURL: URL, modelRunner: sending (any ModelRunner)? = nil) {
    self.manifestURL = manifestURL
    self.modelRunner = modelRunner
  }

  func prepare(onGPU: Bool) async throws {
    let options =
      onGPU
      ? LiquidInferenceEngineManifestOptions()
      : LiquidInferenceEngineManifestOptions(nGpuLayers: 0)
    modelRunner = try await Leap.load(manifestURL: manifestURL, options: options)
  }

  func transcribe(_ samples: [Float], sampleRate: Int) async throws -> String {
    guard let runner = modelRunner else { return "" }
    let conversation = runner.createConversation(systemPrompt: "Perform ASR.")
    let audio = ChatMessageContent.fromFloatSamples(samples, sampleRate: sampleRate)
    let message = LeapSDK.ChatMessage(role: .user, content: [audio])
    let options = GenerationOptions(temperature: 0.0, resetHistory: true, maxOutputTokens: 256)
    var text = ""
    for try await event in conversation.generateResponse(
      message: message, generationOptions: options)
    {
      switch event {
      case .chunk(let piece):
        text += piece
      case .complete(let completion):
        if text.isEmpty, case .text(let whole)? = completion.message.content.first { text = whole }
      case .reasoningChunk, .audioSample, .functionCall:
        continue
      }
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func close() async {
    await modelRunner?.unload()
    modelRunner = nil
  }
}
