import Sampling
import Testing

@testable import Generation

@Suite struct GenerationLoopTests {
  private let prompt = ByteVocabulary.tokens("prompt")
  private let greedy = SamplingOptions(temperature: 0)

  private func run(
    _ sequence: ScriptedSequence, prompt: [Int32]? = nil, settings: GenerationSettings? = nil,
    shouldContinue: () -> Bool = { true }
  ) throws -> (result: GenerationResult, events: [GenerationEvent]) {
    var events: [GenerationEvent] = []
    let loop = GenerationLoop(
      settings: settings ?? GenerationSettings(sampling: greedy), vocabulary: ByteVocabulary())
    let result = try loop.run(
      prompt: prompt ?? self.prompt, on: sequence, shouldContinue: shouldContinue,
      deliver: { events.append($0) })
    return (result, events)
  }

  private func text(of events: [GenerationEvent]) -> String {
    events.reduce(into: "") { text, event in if case .text(let piece) = event { text += piece } }
  }

  @Test func aTurnEndsWithItsEndToken() throws {
    let sequence = ScriptedSequence.replying(ByteVocabulary.tokens("Hello"), after: 6)
    let (result, events) = try run(sequence)
    #expect(result.text == "Hello")
    #expect(result.finishReason == .endOfTurn)
    #expect(result.tokens == ByteVocabulary.tokens("Hello") + [ByteVocabulary.end])
    #expect(events.first == .prompt(tokens: 6, cached: 0))
    #expect(text(of: events) == "Hello")
    #expect(result.stats.promptTokens == 6)
    #expect(result.stats.generatedTokens == 6)
  }

  @Test func theTextOfAnEndMarkerDoesNotEndTheTurn() throws {
    let reply = ByteVocabulary.tokens("a<|im_end|>b")
    let (result, _) = try run(.replying(reply, after: 6))
    #expect(result.text == "a<|im_end|>b")
    #expect(result.finishReason == .endOfTurn)
  }

  @Test func everyChunkIsWholeScalarsAndAllTogetherAreTheText() throws {
    let reply = "A 世界 👨‍👩‍👧 삼겹살 é"
    let (result, events) = try run(.replying(ByteVocabulary.tokens(reply), after: 6))
    #expect(result.text == reply)
    #expect(text(of: events) == reply)
    #expect(!text(of: events).unicodeScalars.contains("\u{FFFD}"))
  }

  @Test func aTokenLimitInsideACharacterLeavesOneReplacementCharacter() throws {
    let settings = GenerationSettings(sampling: greedy, maximumTokens: 3)
    let (result, events) = try run(
      .replying(ByteVocabulary.tokens("a😀"), after: 6), settings: settings)
    #expect(result.text == "a\u{FFFD}")
    #expect(text(of: events) == result.text)
    #expect(result.finishReason == .maximumTokens)
    #expect(result.tokens.count == 3)
  }

  @Test func aStopTextEndsTheGeneration() throws {
    let settings = GenerationSettings(sampling: greedy, stops: ["own fox"])
    let (result, events) = try run(
      .replying(ByteVocabulary.tokens("The quick brown fox jumps"), after: 6), settings: settings)
    #expect(result.text == "The quick br")
    #expect(text(of: events) == result.text)
    #expect(result.finishReason == .stopText)
  }

  @Test func noTokensAreGeneratedWhenNoneAreAllowed() throws {
    let settings = GenerationSettings(sampling: greedy, maximumTokens: 0)
    let (result, _) = try run(.replying([65], after: 6), settings: settings)
    #expect(result.tokens.isEmpty)
    #expect(result.finishReason == .maximumTokens)
  }

  @Test func aFullContextEndsTheGeneration() throws {
    let sequence = ScriptedSequence(capacity: 64) { _ in 65 }
    let (result, _) = try run(sequence, prompt: [Int32](repeating: 1, count: 50))
    #expect(result.finishReason == .contextFull)
    #expect(result.tokens.count == 14)
    #expect(sequence.tokens.count <= 64)
  }

  @Test func aLimitBelowTheCapacityCounts() throws {
    let settings = GenerationSettings(sampling: greedy, contextLimit: 10)
    let (result, _) = try run(ScriptedSequence { _ in 65 }, settings: settings)
    #expect(result.finishReason == .contextFull)
    #expect(result.tokens.count == 4)
  }

  @Test func aPromptMustLeaveRoomForOneToken() throws {
    func sequence() -> ScriptedSequence { ScriptedSequence(capacity: 64) { _ in 65 } }
    let fits = try run(sequence(), prompt: [Int32](repeating: 1, count: 63)).result
    #expect(fits.tokens.count == 1)
    for length in [64, 65, 1_000_000] {
      let refused = sequence()
      let error = #expect(throws: GenerationError.self) {
        try run(refused, prompt: [Int32](repeating: 1, count: length))
      }
      guard case .promptTooLong(length, limit: 64)? = error else {
        Issue.record("wrong error: \(String(describing: error))")
        return
      }
      #expect(refused.evaluations.isEmpty)
    }
  }

  @Test func anEmptyPromptIsRefused() {
    let error = #expect(throws: GenerationError.self) {
      try run(ScriptedSequence { _ in 65 }, prompt: [])
    }
    guard case .emptyPrompt? = error else {
      Issue.record("wrong error: \(String(describing: error))")
      return
    }
  }

  @Test func logitsThatAreNoNumbersAreATypedError() {
    let error = #expect(throws: GenerationError.self) {
      try run(ScriptedSequence { tokens in tokens.count < 8 ? 65 : nil })
    }
    guard case .invalidLogits(position: 8)? = error else {
      Issue.record("wrong error: \(String(describing: error))")
      return
    }
  }

  @Test func rowsBeyondTheVocabularyAreNeverDrawn() throws {
    let sequence = ScriptedSequence(padding: 7) { $0.count < 9 ? 65 : ByteVocabulary.end }
    #expect(try run(sequence).result.text == "AAA")
  }

  @Test func unusableOptionsAreRefusedBeforeAnythingIsEvaluated() {
    let sequence = ScriptedSequence { _ in 65 }
    #expect(throws: GenerationError.self) {
      try run(
        sequence, settings: GenerationSettings(sampling: SamplingOptions(temperature: .nan)))
    }
    #expect(sequence.evaluations.isEmpty)
  }

  @Test func stoppingBetweenTokensKeepsWhatWasGenerated() throws {
    var asked = 0
    let (result, events) = try run(ScriptedSequence { _ in 65 }) {
      asked += 1
      return asked <= 5
    }
    #expect(result.finishReason == .stopped)
    #expect(result.text == "AAAA")
    #expect(text(of: events) == "AAAA")
  }

  @Test func stoppingBetweenPrefillStepsGeneratesNothing() throws {
    var asked = 0
    let sequence = ScriptedSequence(chunk: 2) { _ in 65 }
    let (result, events) = try run(sequence) {
      asked += 1
      return asked <= 2
    }
    #expect(result.finishReason == .stopped)
    #expect(result.tokens.isEmpty)
    #expect(events.isEmpty)
    #expect(sequence.tokens == Array(prompt.prefix(4)))
  }

  @Test func theSecondTurnEvaluatesOnlyWhatIsNew() throws {
    let sequence = ScriptedSequence.replying(ByteVocabulary.tokens("Hi"), after: 6)
    _ = try run(sequence)
    let next = sequence.tokens + ByteVocabulary.tokens(" more")
    let (result, events) = try run(
      sequence, prompt: next, settings: GenerationSettings(sampling: greedy, maximumTokens: 1))
    #expect(result.stats.cachedTokens == 8)
    #expect(events.first == .prompt(tokens: 13, cached: 8))
    #expect(sequence.evaluations.suffix(1) == [5])
  }

  @Test func reuseCanBeSwitchedOff() throws {
    let sequence = ScriptedSequence.replying([65], after: 6)
    _ = try run(sequence)
    let settings = GenerationSettings(sampling: greedy, maximumTokens: 1, reusesPrefix: false)
    let (result, _) = try run(sequence, settings: settings)
    #expect(result.stats.cachedTokens == 0)
    #expect(sequence.tokens == prompt)
  }

  @Test func inlineReasoningStaysInTheTextAndIsStillRecorded() throws {
    let reply = ByteVocabulary.tokens("<think>hm</think>yes")
    let settings = GenerationSettings(sampling: greedy, separatesReasoning: false)
    let inline = try run(.replying(reply, after: 6), settings: settings)
    #expect(text(of: inline.events) == "<think>hm</think>yes")
    #expect(inline.result.text == "<think>hm</think>yes")
    #expect(inline.result.reasoning == "hm")
    let separate = try run(.replying(reply, after: 6))
    #expect(text(of: separate.events) == "yes")
    #expect(separate.events.contains(.reasoning("h")))
    #expect(separate.result.reasoning == "hm")
    #expect(separate.result.rawText == "<think>hm</think>yes")
  }
}
