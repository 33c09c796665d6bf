import LeapSDK

func loadWithEncoder() async throws -> any ModelRunner {
  let options = LiquidInferenceEngineOptions(
    bundlePath: "LFM2-VL-450M-Q8_0.gguf",
    mmProjPath: "encoders/mmproj-LFM2-VL-450M-Q8_0.gguf")
  let runner = try await Leap.load(url: URL(fileURLWithPath: options.bundlePath), options: options)
  return runner
}

func ask(_ conversation: Conversation, about photo: Data) async throws {
  let message = ChatMessage(
    role: .user,
    content: [.image(photo), .text("What does the sign in this photo say?")])
  for try await response in conversation.generateResponse(message: message) {
    if case .chunk(let text) = response { print(text, terminator: "") }
  }
}
