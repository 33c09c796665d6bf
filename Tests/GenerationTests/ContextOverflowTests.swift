import JSON
import Testing

@testable import Generation

@Suite struct ContextOverflowTests {
  /// A chat in letters: s system, u user, a assistant, t tool; the digit counts the turns.
  private func chat(_ roles: String) -> [JSONValue] {
    let names: [Character: String] = [
      "s": "system", "d": "developer", "u": "user", "a": "assistant", "t": "tool",
    ]
    return roles.enumerated().map { index, role in
      ["role": .string(names[role] ?? ""), "content": .string("\(role)\(index)")]
    }
  }

  private func texts(_ messages: [JSONValue]) -> String {
    messages.compactMap { $0["content"]?.stringValue }.joined(separator: " ")
  }

  private func longest(_ roles: String, room: Int) -> String {
    texts(Turns(chat(roles)).longest { $0.count <= room })
  }

  @Test func theOldestTurnsGoFirstAndTheSystemMessageStays() {
    #expect(longest("suauau", room: 5) == "s0 u3 a4 u5")
    #expect(longest("suauau", room: 4) == "s0 u3 a4 u5")
    #expect(longest("suauau", room: 3) == "s0 u5")
    #expect(longest("uauau", room: 4) == "u2 a3 u4")
  }

  @Test func theLastUserMessageAndAllBehindItStayEvenIfTheyDoNotFit() {
    #expect(longest("suauatat", room: 2) == "s0 u3 a4 t5 a6 t7")
    #expect(longest("sut", room: 0) == "s0 u1 t2")
    #expect(longest("s", room: 0) == "s0")
    #expect(longest("", room: 0) == "")
  }

  @Test func aToolsResultStaysWithItsCall() {
    #expect(longest("uatau", room: 4) == "u4")
    #expect(longest("uauatau", room: 6) == "u2 a3 t4 a5 u6")
  }

  @Test func whatComesBeforeTheFirstUserMessageIsDroppedFirst() {
    #expect(longest("saauau", room: 4) == "s0 u3 a4 u5")
  }

  @Test func systemMessagesInTheMiddleStayWhereTheyAre() {
    #expect(longest("suasuaudu", room: 4) == "s0 s3 d7 u8")
    #expect(longest("suasuaudu", room: 5) == "s0 s3 u6 d7 u8")
  }

  @Test func keepsAllThatFitsAtAnyLength() {
    for turns in 1..<40 {
      for room in 1...(2 * turns) {
        let messages = chat(String(repeating: "ua", count: turns))
        let kept = Turns(messages).longest { $0.count <= room }
        // The whole chat is known not to fit, so at least one turn goes.
        #expect(kept.count == 2 * max(1, min(room / 2, turns - 1)))
      }
    }
  }

  @Test func theCostDependsOnWhatFitsNotOnTheChat() {
    let messages = chat(String(repeating: "ua", count: 5_000))
    var (asked, rendered) = (0, 0)
    _ = Turns(messages).longest { messages in
      asked += 1
      rendered += messages.count
      return messages.count <= 100
    }
    #expect(asked <= 14)
    #expect(rendered <= 1_200)
  }

  @Test func theRoomForTheAnswerIsWhatItMayTakeButAtMostAQuarter() {
    #expect(ContextOverflow.reserve(limit: 1_000, maximumTokens: nil) == 250)
    #expect(ContextOverflow.reserve(limit: 1_000, maximumTokens: 40) == 40)
    #expect(ContextOverflow.reserve(limit: 1_000, maximumTokens: 4_000) == 250)
    #expect(ContextOverflow.reserve(limit: 1, maximumTokens: 0) == 1)
  }

  @Test func aLongChatIsAnsweredFromItsLatestTurns() throws {
    let host = try TinyChat.host(LoadOptions(contextLength: 128))
    var messages = [TinyChat.system("Answer briefly.")]
    for _ in 0..<20 { messages += [TinyChat.user("Hello!"), TinyChat.assistant("Hello!")] }
    messages += [TinyChat.user("My name is Anna."), TinyChat.assistant("Hello, Anna!")]
    messages += [TinyChat.user("What is my name?")]
    var request = TinyChat.request(messages)
    #expect(throws: GenerationError.self) { try host.generate(request) }
    request.settings.contextOverflow = .dropOldest
    let result = try host.generate(request)
    #expect(result.text == "Your name is Anna.")
    #expect(result.stats.promptTokens <= 96 && result.stats.promptTokens > 64)
    // What does not fit even alone is refused, with both numbers.
    request.source = .messages([TinyChat.user(String(repeating: "word ", count: 500))])
    #expect {
      try host.generate(request)
    } throws: { error in
      if case GenerationError.promptTooLong(let tokens, 128) = error { return tokens > 500 }
      return false
    }
  }
}
