import Foundation
import Testing

@testable import LeapSDK

@Suite struct ConversationTests {
  @Test func theHistoryHandedOutIsACopy() {
    let conversation = Conversation(modelRunner: ScriptedRunner(), history: [.user("a")])
    var copy = conversation.history
    copy.removeAll()
    #expect(conversation.history == [.user("a")])
  }

  @Test func theHistoryCanBeEditedBetweenGenerations() {
    let conversation = Conversation(modelRunner: ScriptedRunner(), history: [.user("a")])
    conversation.appendToHistory(message: .assistant("b"))
    #expect(conversation.removeLastMessage() == .assistant("b"))
    #expect(conversation.removeLastMessage() == .user("a"))
    #expect(conversation.removeLastMessage() == nil)
  }

  @Test func aFunctionOfTheSameNameIsReplaced() {
    let conversation = Conversation(modelRunner: ScriptedRunner(), history: [])
    conversation.registerFunction(LeapFunction(name: "f", description: "old", parameters: []))
    conversation.registerFunctions(functions: [
      LeapFunction(name: "g", description: "", parameters: []),
      LeapFunction(name: "f", description: "new", parameters: []),
    ])
    #expect(conversation.functions.map(\.name) == ["f", "g"])
    #expect(conversation.functions.map(\.description) == ["new", ""])
  }

  @Test func abandoningTakesBackOnlyTheQuestionOfThatGeneration() throws {
    var state = ConversationState(history: [.user("a"), .assistant("b")])
    let begun = state.begin(answering: .user("q"))
    let generation = try #require(begun)
    state.history.append(.user("added meanwhile"))
    let isAbandoned = state.abandon(generation)
    #expect(isAbandoned)
    #expect(state.history == [.user("a"), .assistant("b"), .user("added meanwhile")])
    let isAbandonedAgain = state.abandon(generation)
    let isCompleted = state.complete(generation, with: .assistant("late"))
    #expect(!isAbandonedAgain && !isCompleted)
    let next = state.begin(answering: nil)
    #expect(next != nil && next != generation)
    #expect(state.history.count == 3)
  }

  @Test func theExportIsValidJSONAndReadsBackEqual() throws {
    let history: [ChatMessage] = [
      ChatMessage(role: .system, content: [.text("Be brief.")]),
      ChatMessage(
        role: .user,
        content: [
          .text("What is this?"), .image(Data([0xFF, 0xD8, 0xFF])),
          .fromFloatSamples([0, 0.5, -0.5], sampleRate: 16_000),
        ]),
      ChatMessage(
        role: .assistant, content: [.text("Checking.")], reasoningContent: "I need two calls.",
        functionCalls: [
          LeapFunctionCall(name: "f", arguments: ["a": "x\"y", "n": 1, "z": nil, "ok": true]),
          LeapFunctionCall(name: "g", arguments: ["list": [1.5, ["k": "v"]] as [Any?]]),
        ]),
      ChatMessage(role: .tool, content: [.text("one")]),
      ChatMessage(role: .tool, content: [.text("two")]),
      ChatMessage(
        role: .assistant, content: [],
        functionCalls: [LeapFunctionCall(name: "h", arguments: [:])]),
    ]
    let conversation = Conversation(modelRunner: ScriptedRunner(), history: history)
    let export = try conversation.exportToJSON()
    #expect(JSONSerialization.isValidJSONObject(export))
    #expect(try export.map { try ChatMessage(from: $0) } == history)

    let data = try JSONSerialization.data(withJSONObject: export)
    let parsed = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(try parsed.map { try ChatMessage(from: $0) } == history)

    let calls = export.compactMap { $0["tool_calls"] as? [[String: Any]] }.flatMap { $0 }
    #expect(calls.compactMap { $0["id"] as? String } == ["call_0", "call_1", "call_2"])
    #expect(export.compactMap { $0["tool_call_id"] as? String } == ["call_0", "call_1"])
  }

  @Test func exportingAndImportingTenTimesChangesNothing() throws {
    let call = LeapFunctionCall(name: "f", arguments: ["a": "x\"y", "n": 1, "z": nil])
    var history = [ChatMessage(role: .assistant, content: [], functionCalls: [call])]
    let runner = ScriptedRunner()
    let first = try Conversation(modelRunner: runner, history: history).exportToJSON()
    let function = (first[0]["tool_calls"] as? [[String: Any]])?[0]["function"] as? [String: Any]
    #expect(function?["arguments"] as? String == #"{"a":"x\"y","n":1,"z":null}"#)
    for _ in 0..<10 {
      let export = try Conversation(modelRunner: runner, history: history).exportToJSON()
      history = try export.map { try ChatMessage(from: $0) }
    }
    #expect(history.first?.functionCalls == [call])
  }
}
