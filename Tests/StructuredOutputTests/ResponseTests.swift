import LeapSDK
import Testing

@Suite struct ResponseTests {
  private let soup = """
    {"title": "Soup", "minutes": 20, "course": "main", "ingredients": \
    [{"name": "Leek", "grams": 250}], "published_at": "2026-03-14T15:09:26Z"}
    """

  @Test func theAnswerComesDecoded() async throws {
    let answers = Answers(text: soup)
    let conversation = answers.conversation
    let recipe = try await conversation.respond(to: "A soup.", generating: Recipe.self)
    #expect(
      recipe
        == Recipe(
          title: "Soup", minutes: 20, course: .main,
          ingredients: [Ingredient(name: "Leek", grams: 250)], note: nil,
          published: Date(timeIntervalSince1970: 1_773_500_966)))
    #expect(conversation.history.map(\.role) == [.user, .assistant])
    let schema = try JSONSchemaGenerator.getJSONSchema(for: Recipe.self)
    #expect(answers.options?.jsonSchemaConstraint == schema)
  }

  @Test func theTypeMayFollowFromTheContextAndOptionsAreKept() async throws {
    let answers = Answers(text: soup)
    let options = GenerationOptions(
      temperature: 0.1, maxOutputTokens: 100, inlineThinkingTags: true)
    let message = ChatMessage(role: .user, content: [.text("A soup.")])
    let recipe: Recipe = try await answers.conversation.respond(
      to: message, generationOptions: options)
    #expect(recipe.title == "Soup")
    #expect(answers.options?.temperature == 0.1)
    #expect(answers.options?.maxOutputTokens == 100)
    // Thinking would stand in front of the JSON.
    #expect(answers.options?.inlineThinkingTags == false)
  }

  @Test(arguments: [
    (#"{"title": "Soup", "min"#, "The given data was not valid JSON"),
    (#"{"title": "Soup"}"#, "The property 'minutes' is missing."),
    (
      #"{"title": 1, "minutes": 1, "course": "main", "ingredients": []}"#, "At 'title'"
    ),
    (
      #"{"title": "", "minutes": 1, "course": "main", "ingredients": [{"name": ""}]}"#,
      "grams' is missing."
    ),
    (
      #"{"title": "", "minutes": 1, "course": "main", "ingredients": [], "published_at": "now"}"#,
      "'now' is no date and time in ISO 8601."
    ),
  ])
  func anAnswerThatDoesNotDecodeIsKeptInTheError(_ text: String, _ reason: String) async throws {
    let conversation = Answers(text: text).conversation
    do {
      let recipe = try await conversation.respond(to: "A soup.", generating: Recipe.self)
      Issue.record("decoded \(recipe)")
    } catch LeapError.serializationFailure(let message, let cause) {
      #expect(message.hasPrefix("The answer is no whole 'Recipe'."))
      let answer = try #require(cause as? UndecodableAnswer)
      #expect(answer.text == text)
      #expect(answer.localizedDescription.contains(reason))
      #expect(answer.localizedDescription.contains(text))
    }
    #expect(conversation.history.count == 2)
  }

  @Test func callsInsteadOfAnAnswerAreAnError() async {
    let call = LeapFunctionCall(name: "get_weather", arguments: [:])
    let conversation = Answers(text: "", calls: [call]).conversation
    await #expect {
      try await conversation.respond(to: "A soup.", generating: Recipe.self)
    } throws: {
      $0.localizedDescription.hasPrefix("The model called get_weather instead of answering")
    }
  }

  @Test func failuresOfTheGenerationComeThrough() async {
    let answers = Answers([.success(.chunk("{")), .failure(.generationFailure("Full.", nil))])
    await #expect {
      try await answers.conversation.respond(to: "A soup.", generating: Recipe.self)
    } throws: {
      "\($0)" == "Full."
    }
  }

  @Test func aBusyConversationSaysSo() async {
    let conversation = Answers([.success(.chunk("{"))]).conversation
    let running = conversation.generateResponse(userTextMessage: "Hi")
    await #expect {
      try await conversation.respond(to: "A soup.", generating: Recipe.self)
    } throws: {
      "\($0)".contains("is generating another answer")
    }
    _ = running
  }

  @Test func cancellingTheTaskIsACancellationError() async {
    let conversation = Answers([.success(.chunk("{"))]).conversation
    let task = Task { try await conversation.respond(to: "A soup.", generating: Recipe.self) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
  }

  @Test func aTypeWithoutAUsableSchemaIsRefusedBeforehand() async {
    struct Broken: GeneratableType {
      static var typeDescription: String { "" }
      static func jsonSchema() throws -> String { "[]" }
    }
    var options = GenerationOptions()
    #expect {
      try options.setResponseFormat(type: Broken.self)
    } throws: {
      "\($0)".contains("The type 'Broken' has no usable JSON Schema.")
    }
    let answers = Answers(text: "{}")
    await #expect(throws: LeapError.self) {
      try await answers.conversation.respond(to: "A soup.", generating: Broken.self)
    }
    #expect(answers.options == nil)
  }
}
