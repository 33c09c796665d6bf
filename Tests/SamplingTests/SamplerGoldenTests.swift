import Foundation
import JSON
import Sampling
import TestSupport
import Testing

/// Candidate sets and probabilities after every step, computed in double precision elsewhere.
@Suite struct SamplerGoldenTests {
  struct Golden: Decodable {
    struct Parameters: Decodable {
      let penalty_last_n: Int
      let repeat_penalty, frequency_penalty, presence_penalty: Float
      let top_k: Int
      let typical_p, top_p, min_p, temperature: Float

      var options: SamplingOptions {
        SamplingOptions(
          temperature: temperature, topK: top_k, topP: top_p, minP: min_p, typicalP: typical_p,
          repetitionPenalty: repeat_penalty, frequencyPenalty: frequency_penalty,
          presencePenalty: presence_penalty, penaltyLastN: penalty_last_n, seed: 1)
      }
    }
    struct Stage: Decodable {
      let stage: String
      let kept: [Int32]
      let probs: [Double]
    }
    struct Final: Decodable {
      let ids: [Int32]
      let probs: [Double]
    }
    struct Case: Decodable {
      let name: String
      let logits: [Float?]
      let history: [Int32]
      let params: Parameters
      let stages: [Stage]
      let final: Final
      let tolerance: Double

      var values: [Float] { logits.map { $0 ?? -.infinity } }
    }
    let order: [String]
    let cases: [Case]

    static func load() throws -> Golden {
      let data = try Data(contentsOf: Fixtures.best("samplers/golden.json"))
      return try JSONDecoder().decode(Golden.self, from: data)
    }
  }

  @Test func stepsComeInTheReferenceOrder() throws {
    #expect(try Golden.load().order == SamplingStage.Name.allCases.map(\.rawValue))
  }

  @Test func everyStepKeepsTheReferenceSetWithItsProbabilities() throws {
    let cases = try Golden.load().cases
    #expect(cases.count > 0)
    for golden in cases {
      let report = try Sampler.stages(
        logits: golden.values, options: golden.params.options, history: golden.history)
      #expect(report.stages.map(\.name.rawValue) == golden.stages.map(\.stage), "\(golden.name)")
      for (stage, expected) in zip(report.stages, golden.stages) {
        #expect(stage.ids == expected.kept, "\(golden.name) \(expected.stage)")
        let error = largestDifference(stage.probabilities, expected.probs)
        #expect(error <= golden.tolerance, "\(golden.name) \(expected.stage)")
      }
      let listed = Dictionary(uniqueKeysWithValues: zip(report.ids, report.probabilities))
      for (id, probability) in zip(golden.final.ids, golden.final.probs) {
        let difference = abs((listed[id] ?? 0) - probability)
        #expect(difference <= golden.tolerance, "\(golden.name) final \(id)")
      }
      #expect(report.probabilities == report.probabilities.sorted(by: >))
      #expect(abs(report.probabilities.reduce(0, +) - 1) < 1e-6)
    }
  }

  @Test func drawsComeOnlyFromTheReferenceSet() throws {
    for golden in try Golden.load().cases {
      var sampler = try Sampler(golden.params.options, vocabularySize: golden.logits.count)
      for token in golden.history { sampler.accept(token) }
      let possible = Set(golden.final.ids)
      for _ in 0..<50 {
        let token = try sampler.sample(golden.values)
        #expect(possible.contains(token), "\(golden.name)")
      }
    }
  }

  private func largestDifference(_ a: [Double], _ b: [Double]) -> Double {
    a.count == b.count ? zip(a, b).map { abs($0 - $1) }.max() ?? 0 : .infinity
  }
}
