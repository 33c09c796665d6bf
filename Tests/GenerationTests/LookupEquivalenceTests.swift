import Compute
import Foundation
import GGUF
import JSON
import Models
import Sampling
import TestSupport
import Testing

@testable import Generation

/// With prompt lookup, models write what they write without it.
///
/// More seeds with `LEAP_LONG_TESTS=1`.
@Suite struct LookupEquivalenceTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] != nil

  private static let samplings: [SamplingOptions] = {
    var penalised = SamplingOptions(temperature: 0, repetitionPenalty: 1.2)
    penalised.penaltyLastN = 16
    var all = [SamplingOptions(temperature: 0), penalised]
    for seed in UInt64(1)...(isLong ? 100 : 1) {
      // Cool, so that random weights repeat themselves now and then.
      all.append(SamplingOptions(temperature: 0.3, topK: 40, seed: seed))
      var warm = SamplingOptions(
        temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1.1, seed: seed)
      warm.frequencyPenalty = 0.2
      all.append(warm)
    }
    return all
  }()

  private static let models: [String] = {
    let folder = Fixtures.best("text")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".gguf") }.sorted()
  }()

  /// Every golden prompt of every architecture and type, guessed at more eagerly than would pay.
  @Test(arguments: models)
  func goldenModelsWriteTheSame(file: String) throws {
    let model = try Model.load(GGUFFile(path: Fixtures.best("text/\(file)").path))
    let golden = try JSONValue(
      parsing: Data(contentsOf: Fixtures.best("text/golden/\(file.dropLast(5)).json")))
    let evaluator = try Evaluator(model: model, options: ComputeOptions(threads: 1))
    let vocabulary = BareVocabulary(vocabularySize: model.configuration.vocabularySize)
    var (guessed, accepted) = (0, 0)
    for prompt in golden["prompts"]?.arrayValue ?? [] where prompt["name"] != "one" {
      let ids = prompt["ids"]?.arrayValue?.compactMap { $0.intValue.map(Int32.init) } ?? []
      // Repeated, so that there is something to find.
      let tokens = Array((ids + ids).suffix(48))
      for sampling in Self.samplings {
        let capacity = min(tokens.count + 24, model.configuration.contextLength)
        let sequences = try (0..<2).map { _ in
          EagerSequence(
            EngineSequence(
              try SequenceState(model: model, capacity: capacity), evaluator: evaluator))
        }
        let results = try zip([false, true], sequences).map { lookup, sequence in
          var settings = GenerationSettings(sampling: sampling)
          settings.usesLookup = lookup
          return try GenerationLoop(settings: settings, vocabulary: vocabulary).run(
            prompt: tokens, on: sequence, shouldContinue: { true }, deliver: { _ in })
        }
        try #require(results[0].tokens == results[1].tokens, "\(sampling)")
        #expect(results[0].finishReason == results[1].finishReason)
        guessed += results[1].stats.draftTokens
        accepted += results[1].stats.acceptedDraftTokens
        // What is left behind is the same as well.
        #expect(sequences[0].tokens == sequences[1].tokens)
        let next = try sequences.map { sequence in
          try sequence.step(tokens[0])
          return sequence.logits(row: 0).map(\.bitPattern)
        }
        #expect(next[0] == next[1])
      }
    }
    #expect(guessed > 0)
    if Self.isLong { print("\(file): \(accepted) of \(guessed) guesses were right") }
  }

  private static let chats: [[JSONValue]] = {
    let questions = [
      "Tell me a story about a fox.", "Count from 3 to 9.", "List three colors.",
      "Extract the name and age as JSON: Maya is 31 years old.",
    ]
    return questions.map { [TinyChat.user($0)] }
      + questions.map {
        [
          TinyChat.user($0),
          TinyChat.assistant("Once upon a time, a quiet fox named Umar lived near the library."),
          TinyChat.user($0),
        ]
      }
  }()

  @Test func tinyChatAnswersTheSame() async throws {
    let host = try TinyChat.host(LoadOptions(compute: ComputeOptions(threads: 1)))
    var requests: [GenerationRequest] = []
    for golden in try TinyChat.golden() {
      requests.append(
        TinyChat.request(
          golden["messages"]?.arrayValue ?? [], tools: golden["tools"]?.arrayValue))
    }
    for chat in Self.chats {
      for sampling in Self.samplings {
        var request = TinyChat.request(chat)
        request.settings.sampling = sampling
        requests.append(request)
      }
    }
    var stopped = TinyChat.request(Self.chats[0])
    stopped.settings.stops = ["Umar was"]
    requests.append(stopped)
    var (passes, tokens) = (0, 0)
    for var request in requests {
      request.settings.usesLookup = false
      let plain = try await host.result(of: request)
      request.settings.usesLookup = true
      let guessed = try await host.result(of: request)
      try #require(plain.tokens == guessed.tokens, "\(plain.rawText)")
      #expect(plain.rawText == guessed.rawText)
      #expect(plain.finishReason == guessed.finishReason)
      #expect(plain.toolCalls == guessed.toolCalls)
      passes += guessed.stats.decodePasses
      tokens += guessed.stats.generatedTokens
    }
    #expect(passes < tokens)
    await host.shutDown()
  }

  @Test func aQuestionAskedAgainIsAnsweredInFewerPasses() async throws {
    let host = try TinyChat.host(LoadOptions(compute: ComputeOptions(threads: 1)))
    let question = TinyChat.user("Tell me a story about a fox.")
    let answer = try await host.result(of: TinyChat.request([question]))
    var request = TinyChat.request([question, TinyChat.assistant(answer.text), question])
    request.settings.usesLookup = true
    let again = try await host.result(of: request)
    #expect(again.stats.tokensPerPass > 1.2, "\(again.stats)")
    await host.shutDown()
  }

  @Test func theLoadOptionIsTheDefault() async throws {
    var options = LoadOptions(compute: ComputeOptions(threads: 1))
    options.usesLookup = true
    let host = try TinyChat.host(options)
    var request = TinyChat.request(Self.chats[4])
    #expect(try await host.result(of: request).stats.draftTokens > 0)
    request.settings.usesLookup = false
    #expect(try await host.result(of: request).stats.draftTokens == 0)
    await host.shutDown()
  }
}

/// Tokens that are shown as nothing and never end a text.
private struct BareVocabulary: TokenVocabulary {
  let vocabularySize: Int
  let endOfGenerationTokens: Set<Int32> = []
  let endOfTurnToken: Int32? = nil
  func shownBytes(of token: Int32) -> [UInt8] { [] }
  func tokens(of text: String) -> [Int32] { [] }
}

/// A model's sequence that promises further tokens almost for nothing.
private final class EagerSequence: TokenSequence {
  private let base: EngineSequence

  init(_ base: EngineSequence) { self.base = base }

  var tokens: [Int32] { base.tokens }
  var capacity: Int { base.capacity }
  var replayLength: Int { base.replayLength }
  var speculationCosts: [Double] { base.speculationCosts.indices.map { 1 + 0.01 * Double($0) } }
  func logits(row: Int) -> UnsafeBufferPointer<Float> { base.logits(row: row) }
  func truncate(to position: Int) { base.truncate(to: position) }
  func evaluate(
    _ tokens: [Int32], logits: LogitsRequest, shouldContinue: () -> Bool
  ) throws(GenerationError) -> Bool {
    try base.evaluate(tokens, logits: logits, shouldContinue: shouldContinue)
  }
  func step(_ token: Int32) throws(GenerationError) { try base.step(token) }
  func speculate(_ tokens: [Int32]) throws(GenerationError) { try base.speculate(tokens) }
}
