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
}
