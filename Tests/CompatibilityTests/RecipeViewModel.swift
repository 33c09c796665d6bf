import LeapSDK

/// Asks for a recipe and shows the events, in the manner of apps written for 0.9.2.
final class RecipeViewModel: ObservableObject {
  @Published var lines: [String] = []
  @Published var isBusy = false
  var modelRunner: ModelRunner?

  func load() async throws {
    modelRunner = try await Leap.load(model: "LFM2-350M", quantization: "Q4_0") { progress, _ in
      print("\(Int(progress * 100))%")
    }
  }

  @MainActor
  func generate() async throws {
    guard let modelRunner else { return }
    isBusy = true
    defer { isBusy = false }
    let conversation = modelRunner.createConversation(systemPrompt: "You are a cook.")
    let message = ChatMessage(role: .user, content: [.text("A dish with beans, please.")])
    for try await response in conversation.generateResponse(message: message) {
      lines.append("\(response)")
    }
  }

  deinit {
    modelRunner = nil
  }
}
