import LeapSDK
import Testing

// An app's code that imports nothing but LeapSDK. It is compiled in Swift 6 mode, in Swift 5 mode,
// and as apps of Xcode's newer templates are: everything on the main actor.

@Generatable("A trip of some days")
struct Trip: Identifiable {
  let id = UUID()
  @Guide("Where it goes") let city: String
  let days: [Day]
  let budget: Double?
  let mood: Mood

  enum CodingKeys: CodingKey { case city, days, budget, mood }

  @Generatable struct Day {
    let plan: String
    let places: [[String]]
  }
}

@Generatable enum Mood: String { case calm, wild }

/// Neither a value type nor Sendable.
@Generatable("A place")
final class Place {
  var name: String
  init(name: String) { self.name = name }
}

@MainActor
final class TripPlanner {
  var trip: Trip?
  var city = ""
  var days = 0
  let conversation: Conversation

  init(_ conversation: Conversation) { self.conversation = conversation }

  func plan() async throws {
    trip = try await conversation.respond(to: "Oslo, two days.", generating: Trip.self)
  }

  func place() async throws -> Place {
    try await conversation.respond(to: "A place.")
  }

  func follow() async throws {
    for try await trip in conversation.streamResponse(to: "Oslo.", generating: Trip.self) {
      city = trip.city ?? city
      days = trip.days?.count ?? days
      if trip.isComplete { self.trip = trip.value }
    }
  }

  /// As the LEAP documents have it.
  func planByHand() async throws {
    var options = GenerationOptions(temperature: 0.3)
    try options.setResponseFormat(type: Trip.self)
    let message = ChatMessage(role: .user, content: [.text("Oslo.")])
    for try await response in conversation.generateResponse(
      message: message, generationOptions: options)
    {
      if case .complete(let completion) = response,
        case .text(let text) = completion.message.content.first
      {
        trip = try JSONDecoder().decode(Trip.self, from: Data(text.utf8))
      }
    }
  }
}

final class TripRunner: ModelRunner {
  let text: String
  init(_ text: String) { self.text = text }

  var modelId: String { "trip" }

  func createConversation(systemPrompt: String?) -> Conversation {
    Conversation(modelRunner: self, history: [])
  }

  func createConversationFromHistory(history: [ChatMessage]) -> Conversation {
    Conversation(modelRunner: self, history: history)
  }

  func generateResponse(
    conversation: Conversation, generationOptions: GenerationOptions?,
    onResponseCallback: @escaping (MessageResponse) -> Void,
    onErrorCallback: ((LeapError) -> Void)?
  ) -> GenerationHandler {
    struct Handler: GenerationHandler { func stop() {} }
    let message = ChatMessage(role: .assistant, content: [.text(text)])
    onResponseCallback(.chunk(text))
    onResponseCallback(.complete(MessageCompletion(message: message, finishReason: .stop)))
    return Handler()
  }

  func unload() async {}
}

@MainActor
@Suite struct TripPlannerTests {
  private let text =
    #"{"city": "Oslo", "days": [{"plan": "Walk", "places": [["Opera"]]}], "mood": "calm"}"#

  @Test func everyWayGivesTheTrip() async throws {
    let ways: [(TripPlanner) async throws -> Void] = [
      { try await $0.plan() }, { try await $0.follow() }, { try await $0.planByHand() },
    ]
    for way in ways {
      let runner = TripRunner(text)
      let planner = TripPlanner(runner.createConversation(systemPrompt: nil))
      try await way(planner)
      #expect(planner.trip?.city == "Oslo")
      #expect(planner.trip?.days.first?.places == [["Opera"]])
    }
  }

  @Test func aClassComesBackToo() async throws {
    let runner = TripRunner(#"{"name": "Opera"}"#)
    let planner = TripPlanner(runner.createConversation(systemPrompt: nil))
    #expect(try await planner.place().name == "Opera")
  }
}
