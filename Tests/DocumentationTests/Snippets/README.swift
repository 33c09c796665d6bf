import LeapSDK

func askAboutHeaps() async throws {
  let runner = try await Leap.load(url: URL(fileURLWithPath: "LFM2-1.2B-Q4_0.gguf"))
  let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
  for try await response in conversation.generateResponse(userTextMessage: "What is a heap?") {
    switch response {
    case .chunk(let text): print(text, terminator: "")
    case .complete(let completion): print("\n\(completion.stats?.tokenPerSecond ?? 0) tokens/s")
    default: break
    }
  }
}

@Generatable("A city to visit")
struct City {
  let name: String
  @Guide("In millions") let inhabitants: Double
  let sights: [String]
}

func askForCity(_ conversation: Conversation) async throws -> City {
  let city = try await conversation.respond(to: "Where shall we go?", generating: City.self)
  return city
}

func loadByName() async throws -> any ModelRunner {
  let runner = try await Leap.load(model: "LFM2.5-1.2B-Instruct", quantization: "Q4_K_M") {
    progress, _ in
    print("\(Int(progress * 100)) %")
  }
  return runner
}
