import Sampling
import Testing

@Suite struct SamplerMaskTests {
  @Test func theOnlyLegalTokenIsFoundHoweverUnlikely() throws {
    let logits = (0..<65_536).map { -Float($0) / 1000 }
    var mask = TokenMask(count: logits.count)
    mask.insert(64_000)
    for (topK, topP, temperature) in [(0, 0.1, 0.7), (40, 1, 1), (1, 0.1, 0)]
      as [(Int, Float, Float)]
    {
      let options = SamplingOptions(temperature: temperature, topK: topK, topP: topP, minP: 0.9)
      var sampler = try Sampler(options, vocabularySize: logits.count)
      #expect(try sampler.sample(logits, allowed: mask) == 64_000)
    }
  }

  @Test func filtersWorkOnTheLegalTokensOnly() throws {
    var mask = TokenMask(count: 6)
    for id in [1, 2, 4] as [Int32] { mask.insert(id) }
    let options = SamplingOptions(temperature: 1, topK: 2, topP: 1, minP: 0, seed: 3)
    let report = try Sampler.stages(logits: [9, 1, 2, 8, 3, 7], options: options, allowed: mask)
    #expect(report.ids == [4, 2])
    var sampler = try Sampler(options, vocabularySize: 6)
    for _ in 0..<200 {
      #expect([2, 4].contains(try sampler.sample([9, 1, 2, 8, 3, 7], allowed: mask)))
    }
  }

  @Test func penaltiesReachLegalTokensByTheirIDs() throws {
    var mask = TokenMask(count: 5)
    mask.insert(3)
    mask.insert(4)
    let options = SamplingOptions(temperature: 0, presencePenalty: 5)
    var sampler = try Sampler(options, vocabularySize: 5)
    sampler.accept(4)
    #expect(try sampler.sample([0, 0, 0, 1, 2], allowed: mask) == 3)
  }

  @Test func noLegalTokenIsAnError() throws {
    var sampler = try Sampler(SamplingOptions(), vocabularySize: 4)
    #expect(throws: SamplingError.noTokenAllowed) {
      try sampler.sample([1, 2, 3, 4], allowed: TokenMask(count: 4))
    }
    var beyond = TokenMask(count: 100)
    beyond.insert(99)
    #expect(throws: SamplingError.noTokenAllowed) {
      try sampler.sample([1, 2, 3, 4], allowed: beyond)
    }
  }

  @Test func maskHoldsWhatWasInserted() {
    var mask = TokenMask(count: 130)
    for id in [-1, 0, 63, 64, 129, 130, .max] as [Int32] { mask.insert(id) }
    mask.remove(63)
    mask.remove(500)
    #expect((-2...200).filter { mask.contains($0) } == [0, 64, 129])
    mask.removeAll()
    #expect(mask == TokenMask(count: 130))
  }
}
