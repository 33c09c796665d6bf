import LeapSDK

func ask(_ question: String) async throws {
  let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2-1.2B-Q4_0.gguf"))
  let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
  for try await response in conversation.generateResponse(userTextMessage: question) {
    switch response {
    case .chunk(let text): print(text, terminator: "")
    case .reasoningChunk, .audioSample, .functionCall: break
    case .complete(let completion): print("\n\(completion.finishReason)")
    }
  }
}
