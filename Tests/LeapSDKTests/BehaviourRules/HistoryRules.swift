import Dispatch
import Foundation
import Testing

@testable import LeapSDK

/// What the history holds and what is made of it: B20, B23, B24, B26. Against a scripted runner, over the public protocol
/// (path 0) and over the library's own direct path (path 1).
@Suite struct HistoryRules {
  @Test func b26_exportingWhileGeneratingGivesTheMessagesSoFar() throws {
    let conversation = Conversation(modelRunner: ScriptedRunner(), history: [])
    let stream = conversation.generateResponse(message: .user("Hi"))
    #expect(try conversation.exportToJSON().count == 1)
    withExtendedLifetime(stream) {}
  }

  @Test func b23_anEmptyTextAfterAToolMessageContinuesFromTheHistory() async throws {
    let runner = ScriptedRunner()
    let history = [ChatMessage.user("Weather?"), ChatMessage(role: .tool, content: [.text("18")])]
    let conversation = runner.createConversationFromHistory(history: history)
    let stream = conversation.generateResponse(userTextMessage: "")
    #expect(runner.calls.first?.history == history)
    runner.calls.first?.complete("Sunny")
    _ = try await stream.summaries()
    #expect(conversation.history == history + [.assistant("Sunny")])
  }

  @Test func anEmptyTextElsewhereIsAMessage() {
    let runner = ScriptedRunner()
    let conversation = runner.createConversation(systemPrompt: nil)
    let stream = conversation.generateResponse(userTextMessage: "")
    #expect(conversation.history == [.user("")])
    withExtendedLifetime(stream) {}
  }

  @Test func aHistoryThatCannotBeReadThrowsOnTheFirstGeneration() async throws {
    let runner = ScriptedRunner()
    let conversation = runner.createConversationFromHistory(history: [["role": "nobody"]])
    let stream = conversation.generateResponse(userTextMessage: "Hi")
    await #expect { try await stream.summaries() } throws: { error in
      if case LeapError.serializationFailure(let message, _) = error {
        return message.contains("role")
      }
      return false
    }
    #expect(runner.calls.isEmpty)
    #expect(conversation.history.isEmpty)
  }

  private static let asked: [ChatMessage] = [
    .user("Weather?"),
    ChatMessage(
      role: .assistant, content: [.text("")],
      functionCalls: [LeapFunctionCall(name: "weather", arguments: ["city": "Oslo"])]),
  ]
  private static let result = ChatMessage(role: .tool, content: [.text("18")])

  @Test(arguments: 0..<2) func b23_aToolsResultIsAMessageOfTheSameConversation(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let conversation = runner.createConversationFromHistory(history: Self.asked)
    let stream = conversation.generateResponse(message: Self.result)
    #expect(runner.calls.first?.history == Self.asked + [Self.result])
    runner.calls.first?.complete("Sunny")
    #expect(try await stream.summaries() == ["complete Sunny"])
  }

  @Test(arguments: 0..<2) func b23_b24_aConversationMadeFromAHistoryTakesItAsItIs(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let first = runner.createConversationFromHistory(history: Self.asked)
    first.registerFunction(LeapFunction(name: "weather", description: "", parameters: []))
    let second = runner.createConversationFromHistory(history: first.history + [Self.result])
    #expect(second.functions.isEmpty && first.functions.count == 1)
    let stream = second.generateResponse(userTextMessage: "")
    #expect(runner.calls.first?.history == Self.asked + [Self.result])
    runner.calls.first?.complete("Sunny")
    _ = try await stream.summaries()
    #expect(second.history.map(\.role) == [.user, .assistant, .tool, .assistant])
  }

  @Test(arguments: 0..<2) func b18_b20_theRunnerIsAskedAboutTheHistoryAsItIs(path: Int)
    async throws
  {
    let runner = ScriptedRunner.kinds[path]()
    let answer = ChatMessage(
      role: .assistant, content: [.text("yes")], reasoningContent: "hm")
    let conversation = runner.createConversationFromHistory(history: [.user("a"), answer])
    let stream = conversation.generateResponse(
      message: .user("b"), generationOptions: GenerationOptions(resetHistory: false))
    #expect(runner.calls.first?.history == [.user("a"), answer, .user("b")])
    #expect(runner.calls.first?.options?.resetHistory == false)
    // Left out of the prompt, but not of the export.
    let export = try conversation.exportToJSON()
    #expect(export.compactMap { $0["reasoning_content"] as? String } == ["hm"])
    withExtendedLifetime(stream) {}
  }
}
