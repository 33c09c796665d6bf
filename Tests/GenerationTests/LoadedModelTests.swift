import Foundation
import GGUF
import Models
import Sampling
import TestSupport
import Testing

@testable import Generation

@Suite struct LoadedModelTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("loaded-model-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func failure(_ path: String, _ options: LoadOptions = LoadOptions()) -> String? {
    do {
      _ = try LoadedModel.load(path: path, options: options)
      return nil
    } catch { return error.description }
  }

  @Test func aPathThatIsNoModelIsExplained() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = FileManager.default
    #expect(failure(path("absent.gguf"))?.contains("no file") == true)
    #expect(failure(folder.path)?.contains("folder") == true)
    try files.createSymbolicLink(
      atPath: path("link.gguf"), withDestinationPath: path("nowhere.gguf"))
    #expect(failure(path("link.gguf"))?.contains("nowhere.gguf") == true)
    try Data("<html>".utf8).write(to: URL(fileURLWithPath: path("page.gguf")))
    #expect(failure(path("page.gguf"))?.contains("page.gguf") == true)
    try Data("ET12".utf8).write(to: URL(fileURLWithPath: path("model.bundle")))
    #expect(failure(path("model.bundle"))?.contains("ExecuTorch") == true)
    try Data().write(to: URL(fileURLWithPath: path("empty.gguf")))
    #expect(failure(path("empty.gguf")) != nil)
  }

  @Test func aModelUnderAnotherNameIsLoaded() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(atPath: TinyChat.path, toPath: path("model.bundle"))
    #expect(failure(path("model.bundle")) == nil)
  }

  @Test func aHundredFailedLoadsDoNotSpoilTheNext() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: TinyChat.path))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path("cut.gguf")))
    for _ in 0..<100 { #expect(failure(path("cut.gguf")) != nil) }
    #if os(Linux)
      // Other tests open files meanwhile, but not this one.
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
      #expect(!open.isEmpty && !open.contains { $0.hasSuffix("/cut.gguf") })
    #endif
    #expect(failure(TinyChat.path) == nil)
  }

  @Test func aContextBeyondTheModelsIsRefused() {
    #expect(
      failure(TinyChat.path, LoadOptions(contextLength: 1_000_000))?.contains("1000000") == true)
  }

  @Test func theContextIsTheModelsOwnUpToTheDefault() throws {
    #expect(try TinyChat.loaded.get().contextLength == 4_096)
    #expect(
      try LoadedModel.load(path: TinyChat.path, options: LoadOptions(contextLength: 100))
        .contextLength == 100)
  }

  @Test func aTemplateThatCannotBeReadFailsTheLoadWithItsPlace() {
    let text = failure(
      TinyChat.path, LoadOptions(chatTemplate: "a\n{%- if last and ne .Role %}"))
    #expect(text?.contains("line 2") == true, "\(text ?? "no error")")
  }

  @Test func aTemplateThatRefusesTheMessagesGivesItsOwnMessage() throws {
    let template = "{{ raise_exception('roles must alternate') }}"
    let model = try LoadedModel.load(
      path: TinyChat.path, options: LoadOptions(chatTemplate: template))
    let error = #expect(throws: GenerationError.self) {
      try model.prompts.prompt(messages: [TinyChat.user("a"), TinyChat.user("b")])
    }
    #expect(error?.description.contains("roles must alternate") == true)
  }

  @Test func aTemplateThatOpensAThinkTagStartsInsideReasoning() throws {
    let template = "{{ messages[0].content }}{% if add_generation_prompt %}<think>\n{% endif %}"
    let model = try LoadedModel.load(
      path: TinyChat.path, options: LoadOptions(chatTemplate: template))
    #expect(try model.prompts.prompt(messages: [TinyChat.user("a")]).opensReasoning)
    #expect(
      try !model.prompts.prompt(messages: [TinyChat.user("a<think>")], addsGenerationPrompt: false)
        .opensReasoning)
  }

  @Test func theMemoryEstimateCountsFileAndSequence() throws {
    let model = try TinyChat.loaded.get()
    let estimate = model.memoryEstimate(tokens: 1_000)
    // Three attention layers, two heads of 64 keys and values, two bytes each; five convolutions.
    #expect(estimate.sequence == 1_000 * 3 * 2 * 64 * 2 * 2 + 5 * 2 * 256 * 4)
    #expect(estimate.weights == model.file.byteCount)
    #expect(model.memoryEstimate().sequence > estimate.sequence)
  }
}
