import Foundation
import JSON
import Testing

@testable import LeapSDK

/// Answers that follow a JSON Schema, on the bundled model.
@Suite struct ConstrainedAnswerTests {
  private let recipe = """
    {"type": "object", "title": "Recipe",
     "properties": {
       "name": {"type": "string", "maxLength": 40},
       "servings": {"type": "integer", "minimum": 1, "maximum": 12},
       "vegetarian": {"type": "boolean"},
       "ingredients": {"type": "array", "items": {"type": "string", "maxLength": 20},
                       "minItems": 1, "maxItems": 4},
       "difficulty": {"enum": ["easy", "medium", "hard"]}},
     "required": ["name", "servings", "vegetarian", "ingredients", "difficulty"]}
    """

  private struct Recipe: Decodable {
    let name: String
    let servings: Int
    let vegetarian: Bool
    let ingredients: [String]
    let difficulty: String
  }

  @Test func everyAnswerDecodesWhateverTheSeed() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    for seed in 0..<20 {
      let options = GenerationOptions(
        temperature: 1.5, topP: 1, minP: 0, topK: 0, rngSeed: UInt64(seed),
        jsonSchemaConstraint: recipe)
      let (chunks, completion) = try await conversation.generateResponse(
        userTextMessage: "Write a recipe for pancakes.", generationOptions: options
      ).answer()
      let decoded = try JSONDecoder().decode(Recipe.self, from: Data(chunks.utf8))
      #expect((1...12).contains(decoded.servings))
      #expect((1...4).contains(decoded.ingredients.count))
      #expect(completion?.message.content == [.text(chunks)])
      conversation.removeLastMessage()
      conversation.removeLastMessage()
    }
  }

  @Test func theModelFillsInWhatItRead() async throws {
    let schema = """
      {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
       "required": ["name", "age"]}
      """
    var options = GenerationOptions(temperature: 0, jsonSchemaConstraint: schema)
    options.injectSchemaIntoPrompt = false
    let (chunks, _) = try await TinyChat.shared.get().createConversation().generateResponse(
      userTextMessage: "Extract the name and age as JSON: Maya is 31 years old.",
      generationOptions: options
    ).answer()
    #expect(chunks == #"{"name": "Maya", "age": 31}"#)
  }

  @Test func theSchemaIsAddedToTheSystemMessageUnlessSwitchedOff() async throws {
    let runner = try TinyChat.shared.get()
    var lengths: [UInt64] = []
    for injects in [true, false] {
      var options = GenerationOptions(temperature: 0, jsonSchemaConstraint: #"{"enum": [1, 2]}"#)
      options.injectSchemaIntoPrompt = injects
      let conversation = runner.createConversation(systemPrompt: "Be brief.")
      let (_, completion) = try await conversation.generateResponse(
        userTextMessage: "One or two?", generationOptions: options
      ).answer()
      lengths.append(completion?.stats?.promptTokens ?? 0)
      #expect(conversation.history.first?.content == [.text("Be brief.")])
    }
    #expect(lengths[0] > lengths[1] + 10)
  }

  @Test func aSchemaThatCannotBeFollowedIsRefusedBeforeTheFirstToken() async throws {
    let conversation = try TinyChat.shared.get().createConversation()
    for (schema, place) in [
      ("{bad json", "JSON"), (#"{"type": "strin"}"#, "type"),
      (#"{"properties": {"a": {"pattern": "^a\\!$("}}}"#, "$.properties.a"),
      (#"{"minimum": "x"}"#, "minimum"),
    ] {
      var chunks = 0
      do {
        for try await _ in conversation.generateResponse(
          userTextMessage: "Hello!",
          generationOptions: GenerationOptions(jsonSchemaConstraint: schema))
        { chunks += 1 }
        Issue.record("no error for \(schema)")
      } catch LeapError.invalidInput(let message) {
        #expect(message.contains(place), "\(message)")
      }
      #expect(chunks == 0 && conversation.history.isEmpty)
    }
  }

  @Test func theTokenLimitCutsTheJSONAndStops() async throws {
    let options = GenerationOptions(
      temperature: 0, jsonSchemaConstraint: recipe, maxOutputTokens: 6)
    let (chunks, completion) = try await TinyChat.shared.get().createConversation()
      .generateResponse(userTextMessage: "A recipe, please.", generationOptions: options).answer()
    #expect(completion?.finishReason == .stop)
    #expect(chunks.hasPrefix("{"))
  }
}
