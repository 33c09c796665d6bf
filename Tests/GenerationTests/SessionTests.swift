import Foundation
import JSON
import Persistence
import TestSupport
import Testing

@testable import Generation

@Suite struct SessionTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/chat.session" }

  private func error(
    _ body: () async throws -> Void
  ) async -> SessionError? {
    await #expect(throws: SessionError.self) { try await body() }
  }

  private func reason(_ body: () async throws -> Void) async -> SnapshotError? {
    switch await error(body) {
    case .cannotRestore(path, let reason)?, .cannotSave(path, let reason)?: reason
    case let error:
      {
        Issue.record("unexpected \(String(describing: error))")
        return nil
      }()
    }
  }

  @Test func aRestoredConversationGoesOnAsIfItHadNotStopped() async throws {
    let host = try TinyChat.host()
    var messages = [TinyChat.user("My name is Anna.")]
    // The answer is whole, or cut off in the middle.
    for limit in [nil, 3] as [Int?] {
      let first = try await host.result(
        of: TinyChat.request(messages, owner: 1, limit: limit))
      messages += [TinyChat.assistant(first.rawText)]
      try await host.save(owner: 1, path, attachment: "history")
      messages += [TinyChat.user("What is my name?")]
      let expected = try await host.result(of: TinyChat.request(messages, owner: 1))

      let other = try TinyChat.host(LoadOptions(contextLength: 256))
      #expect(try await other.restore(path, owner: 7) == "history")
      let resumed = try await other.result(of: TinyChat.request(messages, owner: 7))
      #expect(resumed.tokens == expected.tokens)
      #expect(resumed.stats.cachedTokens == expected.stats.cachedTokens)
      #expect(resumed.stats.cachedTokens > 10)
      #expect(folder.names == ["chat.session"])
      messages.append(TinyChat.assistant(expected.rawText))
      messages.append(TinyChat.user("Hello!"))
    }
  }

  @Test func aConversationWithoutStateIsSavedToo() async throws {
    let host = try TinyChat.host()
    try await host.save(owner: 5, path, attachment: "only this")
    #expect(try await host.restore(path, owner: 6) == "only this")
    #expect(try ModelHost.sessionAttachment(of: path) == Array("only this".utf8))
  }

  @Test func whatDoesNotFitIsRefusedWithTheReason() async throws {
    let host = try TinyChat.host()
    _ = try await host.result(of: TinyChat.request([TinyChat.user("Hello!")], owner: 1))
    try await host.save(owner: 1, path)
    let small = try TinyChat.host(LoadOptions(contextLength: 8))
    guard
      case .tooLong(_, capacity: 8)? = await reason({ _ = try await small.restore(path, owner: 1) })
    else {
      Issue.record("a longer state than the context holds was taken")
      return
    }
    let wide = try TinyChat.host(LoadOptions(cacheType: .f32))
    let mismatch = await error { _ = try await wide.restore(path, owner: 1) }
    #expect(mismatch?.isMismatch == true)
    #expect(mismatch?.description.contains(path) == true)

    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count - 5] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let damage = await error { _ = try await host.restore(path, owner: 1) }
    #expect(damage?.isMismatch == false)
    #expect(damage?.description.contains("damaged") == true)
    try FileManager.default.removeItem(atPath: path)
    #expect(
      await reason { _ = try await host.restore(path, owner: 1) }
        == .system(operation: "open", code: ENOENT))
  }

  @Test func aFailedSaveLeavesTheOldFile() async throws {
    let host = try TinyChat.host()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    guard case .system? = await reason({ try await host.save(owner: 1, path) }) else {
      Issue.record("a folder was replaced by a session")
      return
    }
    #expect(folder.names == ["chat.session"])
    await host.shutDown()
    guard case .unloaded? = await error({ try await host.save(owner: 1, path) }) else {
      Issue.record("an unloaded model saved a session")
      return
    }
  }
}
