import JSON
import Testing

@testable import Generation

/// Going on from the state that the last answer left.
@Suite struct ContinuedConversationTests {
  private func request(
    _ messages: [JSONValue], continues: Bool = true, limit: Int? = 48
  ) -> GenerationRequest {
    var request = TinyChat.request(messages, owner: 1, limit: limit)
    request.continues = continues
    return request
  }

  @Test func equalsTheOrdinaryWayWhereNothingWasRewritten() async throws {
    let (continued, ordinary) = (try TinyChat.host(), try TinyChat.host())
    var messages = [TinyChat.system("Answer briefly.")]
    for question in ["My name is Anna.", "Count from 3 to 9.", "What is my name?"] {
      messages.append(TinyChat.user(question))
      let result = try await continued.result(of: request(messages))
      let expected = try await ordinary.result(of: request(messages, continues: false))
      #expect(result.tokens == expected.tokens)
      #expect(result.stats.promptTokens == expected.stats.promptTokens)
      #expect(result.stats.cachedTokens == expected.stats.cachedTokens)
      messages.append(TinyChat.assistant(result.rawText))
    }
  }

  @Test func theStateCountsAndNotTheHistory() async throws {
    let host = try TinyChat.host()
    _ = try await host.result(of: request([TinyChat.user("My name is Anna.")]))
    // By now the history says something else.
    let messages = [
      TinyChat.user("Hello!"), TinyChat.assistant("Hello!"), TinyChat.user("What is my name?"),
    ]
    let ordinary = try TinyChat.host()
    #expect(
      try await ordinary.result(of: request(messages, continues: false)).text
        != "Your name is Anna.")
    #expect(try await host.result(of: request(messages)).text == "Your name is Anna.")
  }

  @Test func anAnswerThatWasCutOffIsEndedFirst() async throws {
    let host = try TinyChat.host()
    var messages = [TinyChat.user("My name is Anna.")]
    let cut = try await host.result(of: request(messages, limit: 2))
    #expect(cut.finishReason == .maximumTokens)
    messages += [TinyChat.assistant(cut.rawText), TinyChat.user("What is my name?")]
    let result = try await host.result(of: request(messages))
    #expect(result.text == "Your name is Anna.")
    #expect(result.stats.cachedTokens >= cut.stats.promptTokens + 1)
  }

  @Test func withoutAStateTheHistoryIsRead() async throws {
    let host = try TinyChat.host()
    let messages = [
      TinyChat.user("My name is Anna."), TinyChat.assistant("Nice to meet you, Anna."),
      TinyChat.user("What is my name?"),
    ]
    #expect(try await host.result(of: request(messages)).text == "Your name is Anna.")
  }

  @Test func aStateWithoutRoomGivesWayToTheHistory() async throws {
    let host = try TinyChat.host(LoadOptions(contextLength: 96))
    let long = try await host.result(
      of: request([TinyChat.user("Tell me a story about a fox.")], limit: nil))
    #expect(long.stats.promptTokens + long.tokens.count > 60)
    let messages = [
      TinyChat.user("Hello!"), TinyChat.assistant("Hello!"),
      TinyChat.user("What is the capital of France? Answer in one short sentence, please."),
    ]
    let result = try await host.result(of: request(messages))
    #expect(result.stats.promptTokens < 96)
    let expected = try await TinyChat.host().result(of: request(messages, continues: false))
    #expect(long.stats.promptTokens + long.tokens.count < 80 || result.text == expected.text)
  }
}
