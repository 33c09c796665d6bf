import Foundation
import JSON
import Models
import Persistence
import TestSupport
import Testing

@testable import Generation

/// States that outlive the sequences, in memory and in a folder: whatever is found or lost, the
/// answer is that of a cold run.
@Suite struct PrefixStoreTests {
  private let folder = TemporaryFolder()
  private let system = TinyChat.system(
    "You are a helpful assistant. Answer in one short sentence, please. Be polite, and be brief.")

  private func host(
    _ change: (inout PrefixCacheOptions) -> Void = { _ in }, sequences: Int = 4,
    path: String? = nil, cacheType: CacheType = .f16, contextLength: Int = 1_024
  ) throws -> ModelHost {
    var options = PrefixCacheOptions(folder: folder.path)
    change(&options)
    return try ModelHost(
      LoadedModel.load(
        path: path ?? TinyChat.path,
        options: LoadOptions(
          contextLength: contextLength, cacheType: cacheType, maximumSequences: sequences,
          prefixCache: options)))
  }

  private func chat(_ question: String) -> [JSONValue] { [system, TinyChat.user(question)] }

  private func answer(
    _ host: ModelHost, _ messages: [JSONValue], owner: UInt64? = 1, reuses: Bool = true,
    point: String? = nil
  ) async throws -> GenerationResult {
    var request = TinyChat.request(messages, owner: owner, limit: 24, reuses: reuses)
    request.cachePoint = point
    return try await host.result(of: request)
  }

  private func cold(_ messages: [JSONValue]) async throws -> GenerationResult {
    try await answer(TinyChat.host(), messages, reuses: false)
  }

  /// Leaves one entry in the folder; returns what was asked and answered.
  @discardableResult
  private func fill(_ question: String = "What is the capital of France?") async throws
    -> [JSONValue]
  {
    let host = try host()
    let messages = chat(question)
    let result = try await answer(host, messages)
    await host.shutDown()
    #expect(host.cacheWarnings.isEmpty)
    return messages + [TinyChat.assistant(result.rawText)]
  }

  @Test func aConversationGoesOnFromTheFolderAfterARestart() async throws {
    var messages = try await fill()
    #expect(folder.names.count == 1)
    messages.append(TinyChat.user("Hello!"))
    let host = try host()
    let resumed = try await answer(host, messages)
    let expected = try await cold(messages)
    #expect(resumed.tokens == expected.tokens)
    #expect(resumed.stats.cachedTokens > expected.stats.promptTokens - 20)
    await host.shutDown()
    // The longer state has replaced the one it extends.
    #expect(folder.names.count == 1)
  }

  @Test func anotherConversationUsesTheCommonBeginning() async throws {
    try await fill()
    let host = try host()
    let messages = chat("What is the capital of Italy?")
    let result = try await answer(host, messages, owner: 9)
    #expect(result.stats.cachedTokens > 20)
    #expect(try await cold(messages).tokens == result.tokens)
    await host.shutDown()
    #expect(folder.names.count == 2, "neither extends the other")
  }

  @Test func memoryAloneServesConversationsWithoutASequence() async throws {
    let host = try host({ $0.folder = nil }, sequences: 1)
    let first = try await answer(host, chat("What is the capital of France?"), owner: 1)
    _ = try await answer(host, [TinyChat.user("Count from 3 to 9.")], owner: 2)
    let messages =
      chat("What is the capital of France?")
      + [TinyChat.assistant(first.rawText), TinyChat.user("Hello!")]
    let second = try await answer(host, messages, owner: 1)
    #expect(second.stats.cachedTokens >= first.stats.promptTokens)
    #expect(try await cold(messages).tokens == second.tokens)
    #expect(folder.names.isEmpty)
  }

  @Test func withoutReuseNothingIsReadOrWritten() async throws {
    let messages = try await fill()
    let before = folder.names
    let host = try host()
    let result = try await answer(host, messages + [TinyChat.user("Hello!")], reuses: false)
    #expect(result.stats.cachedTokens == 0)
    await host.shutDown()
    #expect(folder.names == before)
  }

  @Test func statesOfAnotherModelOfTheSameShapeAreAMiss() async throws {
    let messages = try await fill() + [TinyChat.user("Hello!")]
    // The same file with one bit of a weight changed.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: TinyChat.path))
    bytes[bytes.count - 1_000] ^= 1
    let other = folder.path + "-model.gguf"
    try bytes.write(to: URL(fileURLWithPath: other))
    defer { try? FileManager.default.removeItem(atPath: other) }
    let host = try host(path: other)
    let result = try await answer(host, messages)
    #expect(result.stats.cachedTokens == 0)
    await host.shutDown()
    #expect(folder.names.count == 2, "both keep their states")
  }

  @Test func statesOfAnotherCacheTypeOrTooLongOnesAreAMiss() async throws {
    let messages = try await fill() + [TinyChat.user("Hello!")]
    let wide = try host(cacheType: .f32)
    #expect(try await answer(wide, messages).stats.cachedTokens == 0)
    await wide.shutDown()
    // A state that exceeds the context is not loaded, even if its beginning would be of use.
    let short = try host(contextLength: 48)
    let result = try await answer(short, [TinyChat.user("Hello!")])
    #expect(result.stats.cachedTokens == 0)
    await short.shutDown()
    #expect(wide.cacheWarnings + short.cacheWarnings == [], "that is no fault")
    #expect(folder.names.count >= 2)
  }

  @Test func damagedFilesAreAMissAndRemoved() async throws {
    let messages = try await fill() + [TinyChat.user("Hello!")]
    let expected = try await cold(messages).tokens
    let name = try #require(folder.names.first)
    let original = try Data(contentsOf: folder.url(name))
    for damage in [original.count / 2, original.count - 1] {
      var bytes = original
      bytes[damage] ^= 0x10
      try bytes.write(to: folder.url(name))
      let host = try host { $0.maximumStates = 0 }
      let result = try await answer(host, messages)
      #expect(result.tokens == expected)
      #expect(result.stats.cachedTokens == 0)
      await host.shutDown()
      #expect(host.cacheWarnings.count == 1)
      #expect(host.cacheWarnings.first?.contains("damaged") == true)
      #expect(!folder.names.contains(name), "the damaged file is replaced by a longer state")
      folder.removeAll()
    }
    for bytes in [
      original.prefix(100), original.prefix(original.count - 1), Data(), original + [1],
    ] {
      try bytes.write(to: folder.url(name))
      let host = try host()
      let result = try await answer(host, messages)
      #expect(result.tokens == expected && result.stats.cachedTokens == 0)
      await host.shutDown()
      folder.removeAll()
    }
  }

  @Test func nothingElseInTheFolderIsTouched() async throws {
    let name = "leap-" + String(repeating: "0", count: 32) + "-" + String(repeating: "0", count: 32)
    let foreign = ["notes.txt", "leap-notes.kv", "model.gguf", name, name + ".kv.bak", ".hidden"]
    for name in foreign { try Data("mine".utf8).write(to: folder.url(name)) }
    try FileManager.default.createDirectory(
      at: folder.url("folder"), withIntermediateDirectories: false)
    let host = try host { $0.maximumFiles = 1 }
    for city in ["France", "Italy", "Spain"] {
      _ = try await answer(host, chat("What is the capital of \(city)?"), owner: nil)
    }
    await host.shutDown()
    #expect(Set(folder.names).isSuperset(of: foreign + ["folder"]))
    #expect(folder.names.count == foreign.count + 2, "one state, as the limit says")
    for name in foreign { #expect(try Data(contentsOf: folder.url(name)) == Data("mine".utf8)) }
  }

  @Test func theFolderIsBoundedAndNamedStatesGoLast() async throws {
    let host = try host { $0.maximumFiles = 2 }
    _ = try await answer(host, chat("What is the capital of France?"), owner: 1, point: "kept")
    for city in ["Italy", "Spain", "Japan"] {
      _ = try await answer(host, chat("What is the capital of \(city)?"), owner: 2)
    }
    await host.shutDown()
    #expect(folder.names.count == 2)
    let points = folder.names.compactMap { try? SnapshotSummary(path: folder.url($0).path) }
      .map { String(decoding: $0.attachment, as: UTF8.self) }
    #expect(points.sorted() == ["", "kept"])
  }

  @Test func twoHostsShareAFolder() async throws {
    let (first, second) = (try host(), try host())
    // The second knows the folder as empty before the first writes to it.
    _ = try await answer(second, [TinyChat.user("Hello!")])
    let messages = chat("What is the capital of France?")
    let reply = try await answer(first, messages)
    await first.shutDown()
    let next = messages + [TinyChat.assistant(reply.rawText), TinyChat.user("Hello!")]
    let result = try await answer(second, next, owner: 2)
    #expect(result.stats.cachedTokens >= reply.stats.promptTokens)
    #expect(try await cold(next).tokens == result.tokens)
    await second.shutDown()
  }

  @Test(.enabled(if: getuid() != 0, "a superuser may write anywhere"))
  func aFolderThatMayNotBeWrittenCostsOnlyTheSaving() async throws {
    chmod(folder.path, 0o500)
    try await expectOneWarning(folder.path, "Permission denied")
  }

  @Test func aFolderThatCannotBeMadeCostsOnlyTheSaving() async throws {
    try Data().write(to: folder.url("file"))
    try await expectOneWarning(folder.path + "/file/cache", "Not a directory")
    try await expectOneWarning(folder.path + "/file", "Not a directory")
    try await expectOneWarning("/dev/full/cache", "")
    try await expectOneWarning("/proc/leap", "")
  }

  private func expectOneWarning(_ path: String, _ reason: String) async throws {
    let host = try host { $0.folder = path }
    for question in ["Hello!", "What is the capital of Italy?"] {
      let result = try await answer(host, chat(question))
      #expect(try await cold(chat(question)).tokens == result.tokens)
    }
    await host.shutDown()
    #expect(host.cacheWarnings.count == 1)
    #expect(host.cacheWarnings.first?.contains(path) == true)
    #expect(host.cacheWarnings.first?.contains(reason) == true || reason.isEmpty)
  }
}

/// A new folder, removed with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("leap-generation-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  func url(_ name: String) -> URL { URL(fileURLWithPath: path).appendingPathComponent(name) }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
  func removeAll() { for name in names { try? FileManager.default.removeItem(at: url(name)) } }
}
