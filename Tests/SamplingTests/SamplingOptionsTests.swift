import Sampling
import Testing

@Suite struct SamplingOptionsTests {
  private typealias Change = (name: String, apply: (inout SamplingOptions) -> Void)

  @Test func nonsenseIsRefusedByName() {
    var changes: [Change] = []
    for value in [Float.nan, .infinity, -.infinity, -1] {
      changes.append(("temperature", { $0.temperature = value }))
      changes.append(("topP", { $0.topP = value }))
      changes.append(("minP", { $0.minP = value }))
      changes.append(("typicalP", { $0.typicalP = value }))
      changes.append(("repetitionPenalty", { $0.repetitionPenalty = value }))
    }
    for value in [Float.nan, .infinity, 1e30] {
      changes.append(("frequencyPenalty", { $0.frequencyPenalty = value }))
      changes.append(("presencePenalty", { $0.presencePenalty = value }))
    }
    changes.append(("topP", { $0.topP = 1.5 }))
    changes.append(("minP", { $0.minP = 2 }))
    changes.append(("repetitionPenalty", { $0.repetitionPenalty = 0 }))
    changes.append(("penaltyLastN", { $0.penaltyLastN = -2 }))
    for change in changes {
      var options = SamplingOptions()
      change.apply(&options)
      do {
        _ = try Sampler(options, vocabularySize: 4)
        Issue.record("\(change.name) was accepted: \(options)")
      } catch {
        guard case .invalidOption(let name, _, _) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(name == change.name)
        #expect(error.description.contains(change.name))
      }
    }
  }

  @Test func aGoodValueAfterABadOneWorks() throws {
    var options = SamplingOptions(temperature: .infinity)
    #expect(throws: SamplingError.self) { try options.validate() }
    options.temperature = 0.3
    try options.validate()
  }

  @Test func limitsAreInclusive() throws {
    try SamplingOptions(
      temperature: 0, topK: -1, topP: 0, minP: 1, typicalP: 0, repetitionPenalty: 0.01,
      frequencyPenalty: -100, presencePenalty: 100, penaltyLastN: -1
    ).validate()
    try SamplingOptions(topK: .max, topP: 1, minP: 0, penaltyLastN: .max).validate()
  }
}
