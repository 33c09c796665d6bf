import LeapSDK

func loadAudioModel() async throws -> any ModelRunner {
  let runner = try await Leap.load(model: "LFM2.5-Audio-1.5B", quantization: "Q8_0") { _, _ in }
  return runner
}

func converse(
  _ runner: any ModelRunner, _ recording: [Float], _ play: ([Float], Int) -> Void
) async throws {
  let conversation = runner.createConversation(
    systemPrompt: "Respond with interleaved text and audio.")
  let question = ChatMessage(
    role: .user, content: [.fromFloatSamples(recording, sampleRate: 44_100)])
  for try await response in conversation.generateResponse(message: question) {
    switch response {
    case .chunk(let text): print(text, terminator: "")
    case .audioSample(let samples, let sampleRate): play(samples, sampleRate)
    default: break
    }
  }
}
