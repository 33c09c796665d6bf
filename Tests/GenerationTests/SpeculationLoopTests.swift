import Sampling
import Testing

@testable import Generation

/// The loop with guesses, on scripts: everything ends as without them.
@Suite struct SpeculationLoopTests {
  private static let costs = [1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07]
  private let prompt = ByteVocabulary.tokens("the cat sat on the mat. the cat sat on ")

  private struct Outcome: Equatable {
    var tokens: [Int32]
    var text: String
    var rawText: String
    var reason: FinishReason
    var events: [GenerationEvent]
    var seen: [Int32]
  }

  private func run(
    _ reply: String, lookup: Bool, capacity: Int = 1_000, _ settings: GenerationSettings,
    insideReasoning: Bool = false, stopAfter: Int = .max
  ) throws -> (outcome: Outcome, stats: GenerationStatistics, sequence: ScriptedSequence) {
    let (reply, length) = (ByteVocabulary.tokens(reply), prompt.count)
    let sequence = ScriptedSequence(capacity: capacity) { tokens in
      let position = tokens.count - length
      // A model that was told something else says something else.
      guard tokens.dropFirst(length).elementsEqual(reply.prefix(max(0, position))) else {
        return 63
      }
      return position < reply.count ? reply[position] : ByteVocabulary.end
    }
    sequence.speculationCosts = Self.costs
    var settings = settings
    settings.usesLookup = lookup
    var events: [GenerationEvent] = []
    var asked = 0
    let loop = GenerationLoop(
      settings: settings, vocabulary: ByteVocabulary(), insideReasoning: insideReasoning)
    let result = try loop.run(
      prompt: prompt, on: sequence,
      shouldContinue: {
        asked += 1
        return asked <= stopAfter
      }, deliver: { events.append($0) })
    let outcome = Outcome(
      tokens: result.tokens, text: result.text, rawText: result.rawText,
      reason: result.finishReason, events: events, seen: sequence.tokens)
    return (outcome, result.stats, sequence)
  }

  /// Runs both ways, expects the same, and returns what happened with guesses.
  @discardableResult
  private func compare(
    _ reply: String, capacity: Int = 1_000, _ change: (inout GenerationSettings) -> Void = { _ in },
    insideReasoning: Bool = false, stopAfter: Int = .max
  ) throws -> (outcome: Outcome, stats: GenerationStatistics, sequence: ScriptedSequence) {
    var settings = GenerationSettings(sampling: SamplingOptions(temperature: 0))
    change(&settings)
    let plain = try run(
      reply, lookup: false, capacity: capacity, settings, insideReasoning: insideReasoning,
      stopAfter: stopAfter)
    let guessed = try run(
      reply, lookup: true, capacity: capacity, settings, insideReasoning: insideReasoning,
      stopAfter: stopAfter)
    #expect(guessed.outcome == plain.outcome)
    #expect(plain.stats.draftTokens == 0)
    #expect(plain.stats.decodePasses >= guessed.stats.decodePasses)
    return guessed
  }

  private let copy = "the mat. the cat sat on the mat. the dog sat on the mat. the cat ran."

  @Test func aTextThatRepeatsItselfTakesFewerPasses() throws {
    let (outcome, stats, _) = try compare(copy)
    #expect(outcome.text == copy)
    #expect(outcome.reason == .endOfTurn)
    #expect(stats.decodePasses < stats.generatedTokens / 2)
    #expect(stats.acceptedDraftTokens <= stats.draftTokens)
    #expect(stats.acceptedDraftTokens == stats.generatedTokens - 1 - stats.decodePasses)
  }

  @Test func theEndOfTheTurnWithinABatchEndsIt() throws {
    for length in 1...copy.utf8.count {
      let (outcome, _, _) = try compare(String(copy.prefix(length)))
      #expect(outcome.reason == .endOfTurn)
    }
  }

  @Test func tokenLimitsCount() throws {
    for limit in 0...copy.utf8.count {
      let (outcome, _, sequence) = try compare(copy) { $0.maximumTokens = limit }
      #expect(outcome.tokens.count == limit)
      // Nothing is evaluated that could not be of use.
      let evaluated = sequence.evaluations.dropFirst().reduce(0, +)
      #expect(evaluated <= max(0, limit - 1) + 7 * sequence.evaluations.count)
    }
  }

  @Test func guessesNeverGoBeyondTheContext() throws {
    for room in 1...40 {
      let (outcome, _, sequence) = try compare(copy, capacity: prompt.count + room)
      #expect(outcome.reason == .contextFull)
      #expect(outcome.tokens.count == room)
      #expect(sequence.largest <= prompt.count + room)
    }
  }

  @Test func stopTextsWithinABatchEndTheText() throws {
    for stop in ["mat", ". the", "cat sat on the mat. the d", "dog", "ran."] {
      let (outcome, _, _) = try compare(copy) { $0.stops = [stop] }
      #expect(outcome.reason == .stopText)
    }
  }

  @Test func stoppingAtAnyTokenKeepsTheSame() throws {
    for asked in 1...40 {
      let (outcome, _, _) = try compare(copy, stopAfter: asked)
      #expect(outcome.reason == .stopped)
      #expect(outcome.tokens.count == asked - 1)
    }
  }

  @Test func penaltiesSeeTheTokensOneByOne() throws {
    for seed in UInt64(0)..<20 {
      try compare(copy) {
        $0.sampling = SamplingOptions(
          temperature: 1.5, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1.3, seed: seed)
        $0.sampling.penaltyLastN = 8
        $0.sampling.presencePenalty = 0.5
        $0.maximumTokens = 60
      }
    }
  }

  @Test func reasoningIsSeparatedAsWithoutGuesses() throws {
    try compare("<think>the cat sat on the mat.</think>the cat sat on the mat.")
    try compare("the cat sat on the</think>the cat sat on the mat.", insideReasoning: true)
  }

  @Test func theLogitsOfAWrongGuessCountForNothing() throws {
    // Behind a wrong guess the script's logits are no numbers.
    let (length, prompt) = (prompt.count, prompt)
    let reply = ByteVocabulary.tokens(copy)
    for lookup in [false, true] {
      let sequence = ScriptedSequence { tokens in
        let position = tokens.count - length
        guard tokens.dropFirst(length).elementsEqual(reply.prefix(max(0, position))) else {
          return nil
        }
        return position < 50 ? reply[position] : nil
      }
      sequence.speculationCosts = Self.costs
      var settings = GenerationSettings(sampling: SamplingOptions(temperature: 0))
      settings.usesLookup = lookup
      let loop = GenerationLoop(settings: settings, vocabulary: ByteVocabulary())
      let error = #expect(throws: GenerationError.self) {
        try loop.run(prompt: prompt, on: sequence, shouldContinue: { true }, deliver: { _ in })
      }
      guard case .invalidLogits(position: length + 50)? = error else {
        Issue.record("wrong error: \(String(describing: error))")
        return
      }
      #expect(sequence.tokens == prompt + reply.prefix(50))
    }
  }

  @Test func noGuessIsMadeWhereTheSequenceCannotTryIt() throws {
    var settings = GenerationSettings(sampling: SamplingOptions(temperature: 0))
    settings.usesLookup = true
    let sequence = ScriptedSequence.replying(ByteVocabulary.tokens(copy), after: prompt.count)
    let loop = GenerationLoop(settings: settings, vocabulary: ByteVocabulary())
    let result = try loop.run(
      prompt: prompt, on: sequence, shouldContinue: { true }, deliver: { _ in })
    #expect(result.text == copy)
    #expect(sequence.evaluations.dropFirst().allSatisfy { $0 == 1 })
  }
}
