import Testing

@testable import Generation

@Suite struct PrefixReuseTests {
  private func decide(
    _ evaluated: [Int32], _ prompt: [Int32], replayLength: Int = 2
  ) -> PrefixReuse {
    .decide(evaluated: evaluated, prompt: prompt, replayLength: replayLength)
  }

  @Test func anEmptySequenceStartsOver() {
    #expect(decide([], [1, 2, 3]) == .startOver)
  }

  @Test func aLongerPromptIsAppended() {
    #expect(decide([1, 2, 3], [1, 2, 3, 4, 5]) == .append(from: 3))
  }

  @Test func appendingNeedsNoReplayHoweverShortTheSequence() {
    #expect(decide([1], [1, 2], replayLength: 20) == .append(from: 1))
  }

  @Test func theSamePromptLeavesOneTokenToEvaluate() {
    #expect(decide([1, 2, 3, 4], [1, 2, 3, 4]) == .replay(from: 3))
  }

  @Test func aPromptThatIsAPrefixLeavesOneTokenToEvaluate() {
    #expect(decide([1, 2, 3, 4, 5, 6], [1, 2, 3, 4]) == .replay(from: 3))
  }

  @Test func aChangedMiddleIsReplayedFromTheChange() {
    #expect(decide([1, 2, 3, 4, 5], [1, 2, 3, 9, 9, 9]) == .replay(from: 3))
  }

  @Test func aCommonPrefixThatReplayWouldCoverIsNotWorthIt() {
    #expect(decide([1, 2, 3, 4], [1, 2, 9, 9], replayLength: 2) == .startOver)
    #expect(decide([1, 2, 3, 4], [1, 2, 9, 9], replayLength: 1) == .replay(from: 2))
  }

  @Test func nothingInCommonStartsOver() {
    #expect(decide([1, 2, 3], [4, 5, 6], replayLength: 0) == .startOver)
    #expect(decide([1], [1], replayLength: 0) == .startOver)
  }

  @Test func thereIsAlwaysAtLeastOneTokenToEvaluate() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let evaluated = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Int32.random(in: 0...1, using: &random)
      }
      let prompt = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        Int32.random(in: 0...1, using: &random)
      }
      let first = decide(evaluated, prompt, replayLength: 1).firstEvaluated
      #expect(first < prompt.count)
      #expect(evaluated.prefix(first) == prompt.prefix(first))
    }
  }
}
