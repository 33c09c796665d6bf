import LeapSDK

@Generatable("Slogans for a brand")
struct SloganSheet: Codable {
  @Guide("The brand's name")
  let brand: String

  @Guide("The best slogan")
  let headline: String

  @Guide("Other slogans")
  let alternatives: [String]

  @Guide("Words that describe the tone")
  let tone: [String]

  @Guide("Who it speaks to")
  let audience: String

  @Guide("Why it works")
  let reason: String
}

/// A type that conforms by hand.
struct Mood: Codable, GeneratableType {
  let name: String

  static var typeDescription: String { "A mood" }

  static func jsonSchema() throws -> String {
    #"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#
  }
}

/// Slogans as JSON, or as text if that fails, in the manner of apps written for 0.9.2.
@MainActor
final class SloganStore {
  enum Result: Equatable {
    case sheet(headline: String, alternatives: Int)
    case text(String)
    case failure(String)
  }

  private(set) var result: Result?
  var modelRunner: ModelRunner?

  func write(about topic: String) async {
    guard let modelRunner else { return }
    let system = ChatMessage(
      role: .system, content: [.text("You write slogans and answer in JSON.")])
    let conversation = Conversation(modelRunner: modelRunner, history: [system])
    var text = ""
    do {
      var options = GenerationOptions()
      options.temperature = 0.7
      try options.setResponseFormat(type: SloganSheet.self)
      let message = ChatMessage(role: .user, content: [.text(topic)])
      for try await response in conversation.generateResponse(
        message: message, generationOptions: options)
      {
        switch response {
        case .chunk(let piece): text += piece
        case .reasoningChunk, .audioSample: break
        case .functionCall(let calls): print(calls.count)
        case .complete: finish(text)
        }
      }
    } catch {
      result = .failure(error.localizedDescription)
    }
  }

  private func finish(_ text: String) {
    do {
      let sheet = try JSONDecoder().decode(SloganSheet.self, from: Data(text.utf8))
      result = .sheet(headline: sheet.headline, alternatives: sheet.alternatives.count)
    } catch {
      result = .text(text)
    }
  }
}
