import LeapSDK

/// A client's mock that answers every message with the same responses.
final class Answers: ModelRunner {
  private let responses: [Result<MessageResponse, LeapError>]
  /// The options of the last generation.
  private(set) var options: GenerationOptions?

  init(_ responses: [Result<MessageResponse, LeapError>]) { self.responses = responses }

  /// Delivers `text` scalar by scalar.
  convenience init(text: String, calls: [LeapFunctionCall]? = nil) {
    let chunks = text.unicodeScalars.map { MessageResponse.chunk(String($0)) }
    let message = ChatMessage(role: .assistant, content: [.text(text)], functionCalls: calls)
    let end = MessageResponse.complete(MessageCompletion(message: message, finishReason: .stop))
    self.init((chunks + [end]).map { .success($0) })
  }

  var conversation: Conversation { Conversation(modelRunner: self, history: []) }
  var modelId: String { "answers" }

  func createConversation(systemPrompt: String?) -> Conversation { conversation }

  func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
    Conversation(modelRunner: self, history: history)
  }

  func generateResponse(
    conversation: Conversation, generationOptions: GenerationOptions?,
    onResponseCallback: @escaping (MessageResponse) -> Void,
    onErrorCallback: ((LeapError) -> Void)?
  ) -> any GenerationHandler {
    options = generationOptions
    for response in responses {
      switch response {
      case .success(let response): onResponseCallback(response)
      case .failure(let error): onErrorCallback?(error)
      }
    }
    return NoHandler()
  }

  func unload() async {}

  private struct NoHandler: GenerationHandler {
    func stop() {}
  }
}

@Generatable("A dish")
struct Recipe: Equatable {
  @Guide("What it is called") let title: String
  let minutes: Int
  let course: Course
  let ingredients: [Ingredient]
  let note: String?
  let published: Date?

  enum CodingKeys: String, CodingKey {
    case title, minutes, course, ingredients, note
    case published = "published_at"
  }
}

@Generatable
enum Course: String { case starter, main }

@Generatable("Something to buy")
struct Ingredient: Equatable {
  let name: String
  let grams: Double
}
