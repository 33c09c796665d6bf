import JSON
import Testing

@testable import Generation

@Suite struct GoldenTranscriptTests {
  /// Each golden conversation is generated greedily and compared, ids and text, up to the first
  /// step at which the reference itself was undecided.
  @Test func everyTranscriptIsReproduced() async throws {
    let host = try TinyChat.host()
    for golden in try TinyChat.golden() {
      let name = golden["name"]?.stringValue ?? ""
      let expected = golden["greedy"]?.arrayValue?.compactMap { $0.intValue.map(Int32.init) } ?? []
      let margins = golden["margin"]?.arrayValue?.compactMap(\.doubleValue) ?? []
      let decided = margins.firstIndex { $0 < 0.1 } ?? expected.count
      let messages = try #require(golden["messages"]?.arrayValue)
      let result = try await host.result(
        of: TinyChat.request(messages, tools: golden["tools"]?.arrayValue))
      #expect(result.tokens.prefix(decided) == expected.prefix(decided), "\(name)")
      if decided == expected.count {
        #expect(result.rawText == golden["text"]?.stringValue, "\(name)")
        #expect(result.finishReason == .endOfTurn, "\(name)")
      }
    }
  }
}
