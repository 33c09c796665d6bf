import FaultServer
import Foundation
import JSON
import Testing

@testable import ModelLibrary

/// What is removed, and what is not.
@Suite struct RemovalTests {
  let test: TestLibrary
  let library: ModelLibrary

  init() throws {
    test = try TestLibrary()
    library = test.library()
  }

  private func publish(_ owner: String, _ model: String, _ quantization: String) -> ModelSource {
    let base = "/\(owner)/\(model)-GGUF/resolve/main/"
    test.content[base + "leap/\(quantization).json"] = manifestData([
      "model": .string("../\(model)-\(quantization).gguf")
    ])
    test.content[base + "\(model)-\(quantization).gguf"] = gguf()
    return .name(ModelName(owner: owner, model: model, quantization: quantization))
  }

  @Test func aQuantizationGoesAndTheOthersStay() async throws {
    let one = publish("LiquidAI", "M", "Q4_0")
    let two = publish("LiquidAI", "M", "Q8_0")
    _ = try await library.fetch(one)
    _ = try await library.fetch(two)
    try library.remove(one)
    #expect(library.status(one) == .absent && library.status(two) == .complete)
    try library.remove(one)
    try library.remove(two)
    #expect(test.files().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: test.folder.path + "/LiquidAI_M-GGUF"))
  }

  @Test func whatTheHubsCacheHasTooStaysThere() async throws {
    let source = publish("LiquidAI", "M", "Q4_0")
    _ = try await library.fetch(source)
    try test.write("r1", "hub/models--LiquidAI--M-GGUF/refs/main")
    try test.write(gguf(), "hub/models--LiquidAI--M-GGUF/snapshots/r1/M-Q4_0.gguf")
    try library.remove(source)
    #expect(try library.find(source)?.origin == .hubCache)
    #expect(throws: ModelDownloadError.self) { try library.remove(source) }
    #expect(test.files().count == 2)
  }

  @Test func anOwnersUnderscoreIsNotTheOneBeforeTheModel() async throws {
    let first = publish("a_b", "c", "Q4_0")
    _ = try await library.fetch(first)
    let second = ModelSource.name(ModelName(owner: "a", model: "b_c", quantization: "Q4_0"))
    #expect(library.status(first) == .complete && library.status(second) == .absent)
  }

  @Test func anotherOwnersModelIsNeitherUsedNorRemoved() async throws {
    let foreign = publish("another", "M", "Q4_0")
    _ = try await library.fetch(foreign)
    let own = ModelSource.name(ModelName(model: "M", quantization: "Q4_0"))
    #expect(library.status(own) == .absent)
    try library.remove(own)
    #expect(library.status(foreign) == .complete)
    _ = publish("LiquidAI", "M", "Q4_0")
    let stored = try await library.fetch(own)
    #expect(stored.files.model.path.contains("LiquidAI_M-GGUF"))
  }

  @Test func whatInterruptedDownloadsLeftIsPrunedUnlessSomebodyWorksOnIt() async throws {
    _ = try await library.fetch(publish("LiquidAI", "Good", "Q4_0"))
    let broken = publish("LiquidAI", "Broken", "Q4_0")
    test.content.answer(
      "/LiquidAI/Broken-GGUF/resolve/main/Broken-Q4_0.gguf",
      HTTPAnswer(headers: [("ETag", "\"1\"")], body: gguf()).with { $0.cutAfter = 500 })
    #expect(await !message { try await library.fetch(broken) }.isEmpty)
    try test.write("x", "models/single.gguf.part")
    try test.write("x", "models/single.gguf.part.json")
    try test.write("x", "models/.leap-0123456789abcdef0123456789abcdef.partial")
    try test.write("x", "models/notes.txt")
    try test.write(gguf(), "models/x_Mine-GGUF/Q4_0/mine.gguf")
    let part = try #require(test.files().first { $0.hasSuffix("Broken-Q4_0.gguf.part") })

    let descriptor = open(test.root.path + "/" + part, O_RDWR)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(!library.leftovers().contains { $0.path.hasSuffix("Broken-Q4_0.gguf.part") })
    close(descriptor)

    let leftovers = library.leftovers()
    #expect(leftovers.contains { $0.path.hasSuffix("Broken-Q4_0.gguf.part") && $0.byteCount > 0 })
    #expect(library.prune() == leftovers)
    #expect(
      test.files() == [
        "models/LiquidAI_Good-GGUF/Q4_0/Good-Q4_0.gguf",
        "models/LiquidAI_Good-GGUF/Q4_0/manifest.json", "models/notes.txt",
        "models/x_Mine-GGUF/Q4_0/mine.gguf",
      ])
    #expect(library.prune().isEmpty)
  }

  @Test func aDownloadInProgressIsNotPruned() async throws {
    let source = publish("LiquidAI", "M", "Q4_0")
    test.content.answer(
      "/LiquidAI/M-GGUF/resolve/main/M-Q4_0.gguf",
      HTTPAnswer(body: gguf()).with { $0.stallAfter = 500 })
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [library] in
      try await library.fetch(source) { if $0.receivedBytes > 0 { continuation.yield() } }
    }
    for await _ in stream { break }
    #expect(library.leftovers().isEmpty && library.prune().isEmpty)
    #expect(test.files().contains { $0.hasSuffix("M-Q4_0.gguf.part") })
    task.cancel()
    _ = await task.result
    try library.remove(source)
    #expect(test.files().isEmpty)
  }

  @Test func whatCannotBeRemovedIsNamed() throws {
    try test.write(gguf(), "models/M-Q4_0.gguf")
    guard getuid() != 0 else { return print("skipped: everything may be removed by root") }
    chmod(test.folder.path, 0o555)
    let error = #expect(throws: ModelDownloadError.self) {
      try library.remove(.name(ModelName(model: "M", quantization: "Q4_0")))
    }
    #expect(error?.description.contains("M-Q4_0.gguf") == true)
  }
}
