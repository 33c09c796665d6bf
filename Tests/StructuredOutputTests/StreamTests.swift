import LeapSDK
import Testing

@Suite struct StreamTests {
  @Test func propertiesGrowAsTheyAreWritten() async throws {
    let text = """
      {"title": "So\\u00e9p", "minutes": 205, "course": "main", "ingredients": \
      [{"name": "Leek", "grams": 250}, {"name": "Salt", "grams": 1}], "note": "Hot", \
      "published_at": "2026-03-14T15:09:26Z"}
      """
    var titles: [String?] = []
    var minutes: [Int?] = []
    var courses: [Course?] = []
    var counts: [Int?] = []
    var notes: [String?] = []
    var dates = 0
    var complete = 0
    var last: Recipe?
    for try await recipe in Answers(text: text).conversation
      .streamResponse(to: "A soup.", generating: Recipe.self)
    {
      func add<T: Equatable>(_ value: T?, to values: inout [T?]) {
        if values.last != .some(value) { values.append(value) }
      }
      add(recipe.title, to: &titles)
      add(recipe.minutes, to: &minutes)
      add(recipe.course, to: &courses)
      add(recipe.ingredients?.count, to: &counts)
      add(recipe.note, to: &notes)
      if recipe.published != nil { dates += 1 }
      if recipe.isComplete { complete += 1 }
      last = recipe.value
    }
    #expect(titles == [nil, "", "S", "So", "Soé", "Soép"])
    #expect(minutes == [nil, 205])
    #expect(courses == [nil, .main])
    #expect(counts == [nil, 0, 1, 2])
    #expect(notes == [nil, "", "H", "Ho", "Hot"])
    // Whole from the closing quote on: there, at the brace and at the end.
    #expect(dates == 3)
    #expect(complete == 1)
    #expect(last?.ingredients.map(\.grams) == [250, 1])
  }

  @Test func aCaseThatBeginsLikeAnotherIsNotMistakenForIt() async throws {
    var kinds: [[String]?] = []
    for try await menu in Answers(text: #"{"kinds": ["a", "ab"]}"#).conversation
      .streamResponse(to: "", generating: Menu.self)
    {
      kinds.append(menu.kinds?.map(\.rawValue))
    }
    #expect(kinds.compactMap(\.self).allSatisfy { [[], ["a"], ["a", "ab"]].contains($0) })
    #expect(kinds.last == ["a", "ab"])
  }

  @Test func theValueIsThereAsSoonAsItDecodes() async throws {
    let text =
      #"{"title":"T","minutes":1,"course":"main","ingredients":[{"name":"a","grams":1}],"note":"n"}"#
    var values: [Recipe] = []
    var json: [String] = []
    for try await recipe in Answers(text: text).conversation
      .streamResponse(to: "A soup.", generating: Recipe.self)
    {
      if let value = recipe.value, value != values.last { values.append(value) }
      json.append(recipe.json)
    }
    #expect(values.map(\.ingredients.count) == [0, 1, 1, 1])
    #expect(values.map(\.note) == [nil, nil, "", "n"])
    #expect(json.first == "{}")
    #expect(json.contains(#"{"title":"T","minutes":1,"course":""}"#))
    #expect(json.last == text)
  }

  @Test func aTypeThatConformsByHandHasItsValueAndText() async throws {
    var last: PartiallyGenerated<ByHand>?
    for try await value in Answers(text: #"{"a": [1, 2]}"#).conversation
      .streamResponse(to: "", generating: ByHand.self)
    {
      #expect(value.a == nil)
      last = value
    }
    #expect(last?.value?.a == [1, 2])
  }

  @Generatable enum Letter: String { case a, ab }

  @Generatable struct Menu {
    let kinds: [Letter]
  }

  private struct ByHand: GeneratableType {
    let a: [Int]
    static var typeDescription: String { "" }
    static func jsonSchema() -> String { "{}" }
  }

  @Test func leavingTheLoopEndsTheGeneration() async throws {
    let conversation = Answers([.success(.chunk("{\"title\": \"S"))]).conversation
    for try await recipe in conversation.streamResponse(to: "A soup.", generating: Recipe.self) {
      #expect(recipe.title == "S")
      #expect(conversation.isGenerating)
      break
    }
    #expect(!conversation.isGenerating)
    #expect(conversation.history.isEmpty)
  }

  @Test func generatingStartsWithTheCall() {
    let answers = Answers([.success(.chunk("{"))])
    let conversation = answers.conversation
    let stream = conversation.streamResponse(to: "A soup.", generating: Recipe.self)
    #expect(answers.options != nil)
    #expect(conversation.isGenerating)
    withExtendedLifetime(stream) {}
  }

  @Test func anUnfinishedAnswerEndsInAnError() async {
    var titles: [String] = []
    do {
      for try await recipe in Answers(text: #"{"title": "Soup", "#).conversation
        .streamResponse(to: "A soup.", generating: Recipe.self)
      {
        titles.append(recipe.title ?? "")
      }
      Issue.record("ended without an error")
    } catch {
      #expect(error is LeapError)
    }
    #expect(titles.last == "Soup")
  }
}
