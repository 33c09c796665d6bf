import LeapSDK

#if canImport(UIKit)
  import UIKit
#endif

/// A chat with an optional photo, in the manner of apps written for 0.9.2.
@MainActor
final class PhotoChatStore: ObservableObject {
  struct Bubble: Identifiable {
    let id = UUID()
    var text: String
    let isUser: Bool
  }

  @Published var bubbles: [Bubble] = []
  @Published var status = ""
  @Published var isLoading = false
  private(set) var conversation: Conversation?
  var modelRunner: ModelRunner?

  func setUp() async {
    isLoading = true
    defer { isLoading = false }
    do {
      let runner = try await Leap.load(
        model: "LFM2-VL-450M",
        quantization: "Q8_0",
        options: LiquidInferenceEngineManifestOptions(contextSize: 4096)
      ) { [weak self] progress, speed in
        Task { @MainActor in
          self?.status =
            progress < 1.0 ? "Downloading \(Int(progress * 100))% at \(speed)" : "Loading"
        }
      }
      use(runner)
    } catch {
      let reason = (error as? LeapError).map { "\($0)" } ?? error.localizedDescription
      status = "Failed: " + reason
    }
  }

  func use(_ runner: ModelRunner) {
    modelRunner = runner
    conversation = Conversation(modelRunner: runner, history: [])
    status = "Ready"
  }

  func send(_ text: String, photo: Data? = nil) async {
    guard let conversation else { return }
    var content: [ChatMessageContent] = []
    if let photo { content.append(.image(photo)) }
    content.append(.text(text))
    bubbles.append(Bubble(text: text, isUser: true))
    let message = ChatMessage(role: .user, content: content)
    var reply = ""
    do {
      for try await resp in conversation.generateResponse(message: message) {
        switch resp {
        case .reasoningChunk(let thought):
          print("thinking: \(thought)")
        case .chunk(let piece):
          reply += piece
        case .audioSample:
          break
        case .complete(let completion):
          if case .text(let whole)? = completion.message.content.first { reply = whole }
          bubbles.append(Bubble(text: reply, isUser: false))
        case .functionCall(let calls):
          print("unexpected calls: \(calls)")
        }
      }
    } catch {
      status = error.localizedDescription
    }
  }

  #if canImport(UIKit)
    func send(_ text: String, image: UIImage) async throws {
      let part = try ChatMessageContent.fromUIImage(image)
      await sendParts([part, .text(text)])
    }

    private func sendParts(_ parts: [ChatMessageContent]) async {
      guard let conversation else { return }
      _ = conversation.generateResponse(message: ChatMessage(role: .user, content: parts))
    }
  #endif
}
