import GGUF
import Models
import Sampling
import Testing

@testable import Generation

@Suite struct SamplingDefaultsTests {
  private func options(
    _ name: String, _ architecture: Architecture = .lfm2, _ metadata: GGUFMetadata = GGUFMetadata()
  ) throws -> SamplingOptions {
    var configuration = try TinyChat.loaded.get().model.configuration
    configuration.name = name
    configuration.architecture = architecture
    return SamplingDefaults.options(for: metadata, configuration)
  }

  @Test func familiesGetWhatTheyWerePublishedWith() throws {
    let expected: [(String, Architecture, SamplingOptions)] = [
      (
        "LFM2 1.2B", .lfm2,
        .init(temperature: 0.3, topK: 0, topP: 1, minP: 0.15, repetitionPenalty: 1.05)
      ),
      (
        "LFM2 8B A1B", .lfm2moe,
        .init(temperature: 0.3, topK: 0, topP: 1, minP: 0.15, repetitionPenalty: 1.05)
      ),
      (
        "LFM2.5 1.2B Instruct", .lfm2,
        .init(temperature: 0.1, topK: 50, topP: 0.1, minP: 0, repetitionPenalty: 1.05)
      ),
      (
        "LFM2.5 350M", .lfm2,
        .init(temperature: 0.1, topK: 50, topP: 1, minP: 0, repetitionPenalty: 1.05)
      ),
      (
        "LFM2.5-8B-A1B", .lfm2moe,
        .init(temperature: 0.2, topK: 80, topP: 1, minP: 0, repetitionPenalty: 1.05)
      ),
      (
        "LFM2-VL-450M", .lfm2,
        .init(temperature: 0.1, topK: 0, topP: 1, minP: 0.15, repetitionPenalty: 1.05)
      ),
      ("SmolLM2 135M", .llama, .init()),
    ]
    for (name, architecture, sampling) in expected {
      #expect(try options(name, architecture) == sampling, "\(name)")
    }
  }

  @Test func whatTheFileSaysGoesOverTheFamily() throws {
    var metadata = GGUFMetadata()
    metadata["general.sampling.temp"] = .float32(0.6)
    metadata["general.sampling.top_k"] = .int32(7)
    let sampling = try options("LFM2 1.2B", .lfm2, metadata)
    #expect(sampling.temperature == 0.6)
    #expect(sampling.topK == 7)
    #expect(sampling.minP == 0.15)
  }

  @Test func askingForTheMostLikelyTokensTurnsTheDefaultPenaltyOff() throws {
    var sampling = try options("LFM2 1.2B")
    sampling.request(temperature: 0.5)
    #expect(sampling.repetitionPenalty == 1.05)
    sampling.request(temperature: 0)
    #expect(sampling.repetitionPenalty == 1)
  }

  @Test func aValueOutOfItsRangeIsIgnored() throws {
    var metadata = GGUFMetadata()
    metadata["general.sampling.temp"] = .float32(.nan)
    metadata["general.sampling.top_p"] = .float32(7)
    #expect(try options("LFM2 1.2B", .lfm2, metadata) == options("LFM2 1.2B"))
  }
}
