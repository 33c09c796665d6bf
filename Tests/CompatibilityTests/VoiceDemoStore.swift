import LeapSDK

/// Recordings in, text and sound out, in the manner of apps written for 0.9.2.
@MainActor
final class VoiceDemoStore {
  struct Entry {
    let role: ChatMessageRole
    var text: String
    var audio: Data?
  }

  private(set) var entries: [Entry] = []
  private(set) var streamed = ""
  private(set) var status: String?
  /// Samples that a player would get.
  private(set) var played: [(samples: [Float], sampleRate: Int)] = []
  private var conversation: Conversation?
  private var modelRunner: ModelRunner?
  private var task: Task<Void, Never>?

  func setUp() async {
    do {
      let runner = try await Leap.load(
        model: "LFM2.5-Audio-1.5B", quantization: "Q4_0",
        options: LiquidInferenceEngineManifestOptions(contextSize: 1024, nGpuLayers: 0)
      ) { progress, _ in
        print(progress)
      }
      use(runner)
    } catch {
      status = "Could not load: \(error.localizedDescription)"
    }
  }

  func use(_ runner: ModelRunner) {
    modelRunner = runner
    let system = ChatMessage(
      role: .system, content: [.text("Respond with interleaved text and audio.")])
    conversation = Conversation(modelRunner: runner, history: [system])
  }

  func sendRecording(_ samples: [Float], sampleRate: Int) {
    let part = ChatMessageContent.fromFloatSamples(samples, sampleRate: sampleRate)
    send(ChatMessage(role: .user, content: [part]), shown: "(recording)")
  }

  func sendText(_ text: String) {
    send(ChatMessage(role: .user, content: [.text(text)]), shown: text)
  }

  func finish() async { await task?.value }

  private func send(_ message: ChatMessage, shown: String) {
    guard let conversation else { return }
    entries.append(Entry(role: message.role, text: shown, audio: message.content.firstAudio))
    streamed = ""
    task?.cancel()
    task = Task { [weak self] in
      do {
        for try await event in conversation.generateResponse(message: message) {
          self?.handle(event)
        }
      } catch {
        self?.status = "Failed: \(error.localizedDescription)"
      }
    }
  }

  private func handle(_ event: MessageResponse) {
    switch event {
    case .chunk(let text):
      streamed += text
    case .reasoningChunk(let text):
      status = text
    case .audioSample(let samples, let sampleRate):
      played.append((samples, sampleRate))
    case .functionCall(let calls):
      status = "\(calls.count) calls"
    case .complete(let completion):
      finish(with: completion)
    }
  }

  private func finish(with completion: MessageCompletion) {
    let message = completion.message
    entries.append(
      Entry(role: message.role, text: streamed, audio: message.content.firstAudio))
    switch completion.finishReason {
    case .stop: status = "Done"
    case .exceed_context: status = "Out of context"
    }
  }
}

extension Array where Element == ChatMessageContent {
  fileprivate var firstAudio: Data? {
    for part in self {
      if case .audio(let data) = part { return data }
    }
    return nil
  }
}
