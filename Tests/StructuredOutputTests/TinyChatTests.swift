import LeapSDK
import TestSupport
import Testing

/// On the bundled model.
@Suite struct TinyChatTests {
  private func conversation() async throws -> Conversation {
    let url = Fixtures.best("tiny-chat/gguf/tiny-chat-q4_k_m.gguf")
    return try await Leap.load(url: url).createConversation()
  }

  @Generatable("A short recipe")
  struct Supper: Equatable {
    @Guide("What it is called") let name: String
    let minutes: UInt8
    let course: Course
    let steps: [String]
    let vegetarian: Bool
    let note: String?
  }

  @Test func aRecipeDecodes() async throws {
    let conversation = try await conversation()
    let supper = try await conversation.respond(
      to: "Give me a recipe for soup.", generating: Supper.self,
      generationOptions: GenerationOptions(temperature: 0))
    guard case .text(let json)? = conversation.history.last?.content.first else {
      Issue.record("The answer is not in the history.")
      return
    }
    #expect(try JSONDecoder().decode(Supper.self, from: Data(json.utf8)) == supper)
  }

  @Test func theStreamEndsWithWhatRespondReturns() async throws {
    let conversation = try await conversation()
    let greedy = GenerationOptions(temperature: 0)
    var names: [String] = []
    var last: Supper?
    for try await supper in conversation.streamResponse(
      to: "Give me a recipe for soup.", generating: Supper.self, generationOptions: greedy)
    {
      if let name = supper.name, name != names.last { names.append(name) }
      last = supper.value
    }
    let whole = try #require(last)
    #expect(names.last == whole.name)
    let again = try await self.conversation().respond(
      to: "Give me a recipe for soup.", generating: Supper.self, generationOptions: greedy)
    #expect(again == whole)
  }

  @Test func anAnswerThatIsCutOffIsAnErrorWithItsText() async throws {
    let conversation = try await conversation()
    do {
      _ = try await conversation.respond(
        to: "Give me a recipe for soup.", generating: Supper.self,
        generationOptions: GenerationOptions(temperature: 0, maxOutputTokens: 4))
      Issue.record("decoded")
    } catch LeapError.serializationFailure(_, let cause as UndecodableAnswer) {
      #expect(cause.text.hasPrefix("{"))
    }
  }
}
