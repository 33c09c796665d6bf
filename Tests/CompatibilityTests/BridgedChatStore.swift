import LeapSDK

/// A chat in the manner of apps written for 0.10, whose SDK was bridged from Kotlin.
@MainActor
final class BridgedChatStore: ObservableObject {
  @Published private(set) var lines: [String] = []
  private var conversation: Conversation?
  private var modelRunner: (any ModelRunner)?

  func setUp(_ manifestURL: URL) async throws {
    do {
      modelRunner = try await Leap.shared.load(
        model: "LFM2-350M", quantization: "Q8_0",
        options: LiquidInferenceEngineManifestOptions(contextSize: 2048),
        progress: { progress, speed in print(progress, speed) })
    } catch {
      modelRunner = try await Leap.shared.load(manifestUrl: manifestURL)
    }
    guard let runner = modelRunner else { return }
    use(runner)
  }

  func use(_ runner: any ModelRunner) {
    modelRunner = runner
    conversation = Conversation(
      modelRunner: runner, history: [ChatMessage(role: .system, textContent: "Be brief.")])
    conversation?.registerFunction(
      function: LeapFunction(
        name: "get_weather", functionDescription: "The weather of a city",
        parameters: [
          LeapFunctionParameter(name: "city", type: .string, parameterDescription: "The city")
        ]))
  }

  func send(_ text: String, photo: Data? = nil) async throws {
    guard let conversation else { return }
    var content = [ChatMessageContent.text(text)]
    if let photo {
      let imageContent = ChatMessageContent.Image.fromJPEGData(photo)
      content.append(imageContent as ChatMessageContent)
    }
    let role: ChatMessage.Role = .user
    let message = ChatMessage_withArray(role: role, content: content)
    let options = GenerationOptions().with(temperature: 0).with(maxTokens: 50)
    for try await resp in conversation.generateResponse(
      message: message, generationOptions: options)
    {
      switch onEnum(of: resp) {
      case .chunk(let chunk):
        lines.append(chunk.text)
      case .reasoningChunk(let chunk):
        lines.append("(\(chunk.reasoning))")
      case .audioSample(let audio):
        lines.append("\(audio.samples.toFloatArray().count) at \(Int(audio.sampleRate))")
      case .functionCalls(let calls):
        lines.append(calls.functionCalls.map(\.name).joined(separator: ","))
      case .complete(let complete):
        for part in complete.fullMessage.content {
          switch onEnum(of: part) {
          case .text(let text): lines.append("= " + text.text)
          case .image(let image): lines.append("image of \(image.data.toData().count)")
          case .audio(let audio): lines.append("audio of \(audio.data.toData().count)")
          }
        }
        if complete.finishReason == .exceedContext { lines.append("full") }
      }
    }
  }
}
