import Testing

@testable import Generation

@Suite struct ContinuationTests {
  /// 0 ends a turn; 7, 8 and 9 are what the template puts around messages.
  private func prompt(
    written: [Int32], answered: [Int32], full: [Int32]
  ) -> [Int32]? {
    Continuation.prompt(written: written, answered: answered, full: full, endTokens: [0])
  }

  private let answered: [Int32] = [7, 1, 0, 8, 2, 3, 0, 9]
  private let full: [Int32] = [7, 1, 0, 8, 2, 3, 0, 9, 7, 4, 0, 9, 8]

  @Test func equalsTheRenderedHistoryWhereNothingWasRewritten() {
    #expect(prompt(written: [7, 1, 0, 8, 2, 3, 0], answered: answered, full: full) == full)
  }

  @Test func keepsWhatTheTemplateWouldDrop() {
    #expect(
      prompt(written: [7, 1, 0, 8, 50, 51, 2, 3, 0], answered: answered, full: full)
        == [7, 1, 0, 8, 50, 51, 2, 3, 0, 9, 7, 4, 0, 9, 8])
  }

  @Test func endsTheTurnOfAnAnswerThatWasCutOff() {
    #expect(
      prompt(written: [7, 1, 0, 8, 2], answered: answered, full: full)
        == [7, 1, 0, 8, 2, 0, 9, 7, 4, 0, 9, 8])
  }

  @Test func isLeftToTheRenderedHistoryWhereTheRenderingsDoNotTell() {
    let written: [Int32] = [7, 1, 0, 8, 2, 3, 0]
    // The new message changes what comes before it.
    #expect(prompt(written: written, answered: answered, full: [7, 5] + full) == nil)
    // Nothing new.
    #expect(prompt(written: written, answered: answered, full: answered) == nil)
    // No end of a turn, or one far from the end.
    #expect(prompt(written: written, answered: [7, 1], full: [7, 1, 2]) == nil)
    let long = answered + Array(repeating: 5, count: 20)
    #expect(prompt(written: written, answered: long, full: long + [1]) == nil)
    #expect(prompt(written: written, answered: [], full: full) == nil)
  }
}
