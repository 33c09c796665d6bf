import LeapSDK

@Generatable("A dish for the evening")
struct Recipe {
  @Guide("What the dish is called")
  let title: String
  @Guide("Time in the kitchen, in minutes")
  let minutes: Int
  let course: Course
  let ingredients: [Ingredient]
  let note: String?
}

@Generatable
enum Course: String {
  case starter, main, dessert
}

@Generatable("Something to buy")
struct Ingredient {
  let name: String
  let grams: Double
}

func cook(_ conversation: Conversation) async throws -> Recipe {
  try await conversation.respond(to: "A soup for two.", generating: Recipe.self)
}

func cookBriefly(_ conversation: Conversation) async throws -> Recipe? {
  do {
    return try await conversation.respond(
      to: "A soup for two.", generationOptions: GenerationOptions(maxOutputTokens: 200))
  } catch LeapError.serializationFailure(let message, let cause as UndecodableAnswer) {
    print(message, cause.text)
    return nil
  }
}

func show(_ conversation: Conversation) async throws {
  for try await recipe in conversation.streamResponse(to: "A soup.", generating: Recipe.self) {
    print(recipe.title ?? "…", recipe.ingredients?.count ?? 0)
    if let whole = recipe.value { print(whole.minutes) }
  }
}

func cookAsInLEAP(_ conversation: Conversation) async throws -> Recipe? {
  var options = GenerationOptions(temperature: 0.3)
  try options.setResponseFormat(type: Recipe.self)
  let message = ChatMessage(role: .user, content: [.text("A soup for two.")])
  for try await response in conversation.generateResponse(
    message: message, generationOptions: options)
  {
    if case .complete(let completion) = response,
      case .text(let json) = completion.message.content.first
    {
      return try JSONDecoder().decode(Recipe.self, from: Data(json.utf8))
    }
  }
  return nil
}
