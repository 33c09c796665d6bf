import LeapSDK

/// A chat that cancels the running answer when the next question comes.
@MainActor
final class ChatViewModel: ObservableObject {
  @Published var messages: [ChatMessage] = []
  @Published var currentResponse = ""
  @Published var isGenerating = false
  @Published var error: String?
  private var modelRunner: ModelRunner?
  private var conversation: Conversation?
  private(set) var generationTask: Task<Void, Never>?

  func use(_ runner: ModelRunner) {
    modelRunner = runner
    conversation = modelRunner?.createConversation(systemPrompt: "Be brief.")
  }

  func send(_ text: String) {
    guard let conversation, !text.isEmpty else { return }
    generationTask?.cancel()
    let userMessage = ChatMessage(role: .user, content: [.text(text)])
    currentResponse = ""
    isGenerating = true
    generationTask = Task {
      do {
        for try await response in conversation.generateResponse(
          message: userMessage,
          generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 512))
        {
          await handle(response)
        }
      } catch is CancellationError {
        print("cancelled")
      } catch {
        self.error = "Generation failed: \(error.localizedDescription)"
      }
      isGenerating = false
    }
  }

  private func handle(_ response: MessageResponse) async {
    switch response {
    case .chunk(let text): currentResponse += text
    case .reasoningChunk, .audioSample, .functionCall: break
    case .complete:
      messages = conversation?.history ?? []
      currentResponse = ""
    }
  }

  func close() async {
    generationTask?.cancel()
    await modelRunner?.unload()
    modelRunner = nil
    conversation = nil
  }

  deinit {
    generationTask?.cancel()
  }
}
