import FaultServer
import Foundation
import JSON
import Testing

@testable import ModelLibrary

@Suite struct FetchTests {
  let test: TestLibrary
  let name = ModelName(model: "LFM2-1.2B", quantization: "Q4_K_M")
  static let repository = "/LiquidAI/LFM2-1.2B-GGUF/resolve/main/"

  init() throws { test = try TestLibrary() }

  private func publish(_ data: Data = gguf()) {
    test.content[Self.repository + "leap/Q4_K_M.json"] = manifestData(
      ["model": "../LFM2-1.2B-Q4_K_M.gguf"],
      more: [
        "generation_time_parameters": ["sampling_parameters": ["temperature": 0.3]],
        "extra": [1, "two"],
      ])
    test.content[Self.repository + "LFM2-1.2B-Q4_K_M.gguf"] = data
  }

  @Test func aNamedModelIsFetchedOnceAndThenCostsNoRequest() async throws {
    publish()
    let progress = Progress()
    let library = test.library()
    #expect(library.status(.name(name)) == .absent)
    let model = try await library.fetch(.name(name)) { progress.add($0) }
    #expect(model.origin == .library && model.byteCount == 1000)
    #expect(
      model.files.model.path
        == test.folder.path + "/LiquidAI_LFM2-1.2B-GGUF/Q4_K_M/LFM2-1.2B-Q4_K_M.gguf")
    #expect(try Data(contentsOf: model.files.model) == gguf())
    #expect(model.manifest?.generationTimeParameters.samplingParameters.temperature == 0.3)
    #expect(progress.fractions.filter { $0 == 1 }.count == 1 && progress.fractions.last == 1)
    #expect(progress.fractions == progress.fractions.sorted())

    let requests = test.hub.requests.count
    let again = Progress()
    _ = try await test.library().fetch(.name(name)) { again.add($0) }
    #expect(test.hub.requests.count == requests)
    #expect(again.fractions == [1])
    #expect(library.status(.name(name)) == .complete)
    #expect(try await library.size(.name(name)) == 1000)
    #expect(library.list().map(\.name) == ["LFM2-1.2B"])
    #expect(library.leftovers().isEmpty)
  }
}
