import Foundation
import Sampling
import Testing

@Suite struct SamplerTests {
  /// Everything off: the draw is from the softmax of the logits.
  private func plain(_ change: (inout SamplingOptions) -> Void = { _ in }) -> SamplingOptions {
    var options = SamplingOptions(temperature: 1, topK: 0, topP: 1, minP: 0, seed: 7)
    change(&options)
    return options
  }

  private func draws(_ logits: [Float], _ options: SamplingOptions, _ n: Int) throws -> [Int32] {
    var sampler = try Sampler(options, vocabularySize: logits.count)
    return try (0..<n).map { _ in try sampler.sample(logits) }
  }

  @Test(arguments: [0, -0.0, 1e-9] as [Float])
  func temperatureZeroTakesTheLowestIDAmongTheBest(temperature: Float) throws {
    let options = plain { $0.temperature = temperature }
    #expect(try Set(draws([1, 3, 3, 2], options, 100)) == [1])
    let masked = plain {
      $0.temperature = temperature
      $0.repetitionPenalty = 1.1
    }
    #expect(try Set(draws([1, 3, 3, 2], masked, 100)) == [1])
  }

  @Test func topPZeroKeepsTheMostLikelyToken() throws {
    for seed in 0..<50 as Range<UInt64> {
      let options = plain {
        $0.topP = 0
        $0.seed = seed
      }
      #expect(try draws([0, 5, 1], options, 1) == [1])
    }
  }

  @Test func minPOneKeepsOnlyTheEquallyLikely() throws {
    let tokens = try draws([2, 2, 1], plain { $0.minP = 1 }, 10_000)
    #expect(Set(tokens) == [0, 1])
    #expect((4500...5500).contains(tokens.count { $0 == 0 }))
    #expect(try Set(draws([2, 2, 1], plain { $0.minP = 0 }, 1000)) == [0, 1, 2])
  }

  @Test func repetitionPenaltyLowersNegativeLogitsToo() throws {
    let report = try Sampler.stages(
      logits: [2, 1, -1], options: plain { $0.repetitionPenalty = 1.5 }, history: [0, 2, 0])
    let expected = [2 / 1.5, 1, -1.5].map { exp($0) }
    let total = expected.reduce(0, +)
    let stage = try #require(report.stages.first)
    #expect(stage.name == .penalties)
    for (probability, weight) in zip(stage.probabilities, expected) {
      #expect(abs(probability - weight / total) < 1e-6)
    }
  }

  @Test func neutralPenaltiesChangeNothing() throws {
    let report = try Sampler.stages(
      logits: [2, 1, -1], options: plain { $0.penaltyLastN = -1 }, history: [0, 1, 2])
    #expect(report.stages.isEmpty)
  }

  @Test func penaltiesSeeOnlyTheWindow() throws {
    let logits = [Float](repeating: 1, count: 10)
    func penalised(lastN: Int) throws -> Set<Int32> {
      let options = plain {
        $0.presencePenalty = 1
        $0.penaltyLastN = lastN
      }
      let report = try Sampler.stages(logits: logits, options: options, history: [5, 6, 7, 8])
      guard let stage = report.stages.first, let top = stage.probabilities.max() else { return [] }
      return Set(zip(stage.ids, stage.probabilities).filter { $0.1 < top }.map(\.0))
    }
    #expect(try penalised(lastN: 2) == [7, 8])
    #expect(try penalised(lastN: 4) == [5, 6, 7, 8])
    #expect(try penalised(lastN: .max) == [5, 6, 7, 8])
    #expect(try penalised(lastN: -1) == [5, 6, 7, 8])
    #expect(try penalised(lastN: 0) == [])
  }

  @Test func windowCountsWhatItHoldsAndForgetsTheRest() throws {
    // Against a recount of the last n tokens, over a long history with repeats.
    var random = SystemRandomNumberGenerator()
    let history = (0..<500).map { _ in Int32.random(in: 0..<6, using: &random) }
    for lastN in [1, 3, 64, 499, 1000] {
      let options = plain {
        $0.frequencyPenalty = 0.01
        $0.penaltyLastN = lastN
      }
      let report = try Sampler.stages(
        logits: [0, 0, 0, 0, 0, 0, 0], options: options, history: history)
      let weights = (0..<7).map { id in
        exp(-0.01 * Double(history.suffix(lastN).count { $0 == Int32(id) }))
      }
      let total = weights.reduce(0, +)
      let stage = try #require(report.stages.first)
      for (probability, weight) in zip(stage.probabilities, weights) {
        #expect(abs(probability - weight / total) < 1e-6)
      }
    }
  }

  @Test func tokensOutsideTheVocabularyAreNotCounted() throws {
    let options = plain { $0.repetitionPenalty = 2 }
    var sampler = try Sampler(options, vocabularySize: 2)
    for token in [-1, 2, .max, .min] as [Int32] { sampler.accept(token) }
    #expect([0, 1].contains(try sampler.sample([1, 1])))
  }

  @Test func unusableLogitsAreAnError() throws {
    for options in [plain(), plain { $0.temperature = 0 }, plain { $0.topK = 3 }] {
      for value in [Float.nan, -.infinity] {
        #expect(throws: SamplingError.noUsableLogit) {
          try draws([Float](repeating: value, count: 40), options, 1)
        }
      }
      #expect(throws: SamplingError.noUsableLogit) { try draws([], options, 1) }
    }
  }

  @Test func nanCountsAsImpossibleAndInfinityWins() throws {
    let greedy = plain { $0.temperature = 0 }
    #expect(try draws([.nan, 1, 0], greedy, 1) == [1])
    #expect(try Set(draws([.nan, 1, 0], plain(), 500)) == [1, 2])
    for options in [greedy, plain(), plain { $0.topP = 0.5 }, plain { $0.repetitionPenalty = 2 }] {
      #expect(try Set(draws([.infinity, 1], options, 50)) == [0])
      #expect(try Set(draws([.nan, 1, .infinity, -.infinity], options, 50)) == [2])
    }
  }

  @Test func infinityIsReportedAsCertainAtEveryStep() throws {
    let options = plain {
      $0.presencePenalty = 1
      $0.temperature = 0.5
    }
    let report = try Sampler.stages(logits: [1, .infinity, 2], options: options, history: [0])
    #expect(report.stages.map(\.probabilities) == [[0, 1, 0]])
    #expect(report.ids == [1])
  }

  @Test func aForbiddenInfinityDoesNotHideLegalTokens() throws {
    var mask = TokenMask(count: 3)
    mask.insert(2)
    var sampler = try Sampler(plain(), vocabularySize: 3)
    #expect(try sampler.sample([.infinity, .nan, -5], allowed: mask) == 2)
  }

  @Test func logitsOfAnotherVocabularyAreAnError() throws {
    var sampler = try Sampler(plain(), vocabularySize: 3)
    #expect(throws: SamplingError.wrongLogitCount(expected: 3, actual: 2)) {
      try sampler.sample([1, 2])
    }
  }

  @Test func equalSeedsDrawEqualTokens() throws {
    let logits = (0..<100).map { Float($0 % 7) }
    let first = try draws(logits, plain { $0.seed = 42 }, 200)
    #expect(try draws(logits, plain { $0.seed = 42 }, 200) == first)
    #expect(try draws(logits, plain { $0.seed = 43 }, 200) != first)
    let unseeded = try Sampler(plain { $0.seed = nil }, vocabularySize: 1).seed
    #expect(try Sampler(plain { $0.seed = nil }, vocabularySize: 1).seed != unseeded)
  }

  @Test func aCopyContinuesTheSameSequence() throws {
    let logits = [Float](repeating: 0, count: 1000)
    var sampler = try Sampler(plain(), vocabularySize: 1000)
    _ = try sampler.sample(logits)
    var copy = sampler
    for _ in 0..<20 { #expect(try sampler.sample(logits) == copy.sample(logits)) }
  }

  /// Pearson's statistic over 20,000 draws stays below the 99.9 % point of its distribution.
  @Test func drawsFollowTheProbabilities() throws {
    let logits: [Float] = [0, 1, 2, -1, 0.5, 1.5, -0.5, 2.5, -2, 0.25, -.infinity]
    for options in [
      plain(), plain { $0.temperature = 1.7 }, plain { $0.topK = 6 }, plain { $0.topP = 0.9 },
      plain { $0.minP = 0.1 }, plain { $0.typicalP = 0.8 },
    ] {
      let report = try Sampler.stages(logits: logits, options: options)
      let tokens = try draws(logits, options, 20_000)
      var statistic = 0.0
      for (id, probability) in zip(report.ids, report.probabilities) {
        let expected = probability * 20_000
        let difference = Double(tokens.count { $0 == id }) - expected
        statistic += difference * difference / expected
      }
      #expect(statistic < 29.6, "\(options)")
      #expect(Set(tokens).isSubset(of: report.ids))
    }
  }
}
