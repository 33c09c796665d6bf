import Compute
import Foundation
import JSON
import TestSupport
import Testing

@testable import Generation

/// Chats by chance: asked, edited, shortened, forked, rewritten, interrupted, saved, restored and
/// restarted. Whatever the caches hold by then, every answer is the one of a cold run.
///
/// 2,000 chats with `LEAP_LONG_TESTS=1`.
@Suite struct CacheEquivalenceTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] != nil

  @Test func everyAnswerIsThatOfAColdRun() async throws {
    let seeds: Range<UInt64> = 0..<(Self.isLong ? 2_000 : 12)
    // One thread, as the tests beside this one keep the processors busy.
    let reference = try TinyChat.host(LoadOptions(compute: ComputeOptions(threads: 1)))
    let folder = TemporaryFolder()
    let table = CacheTable(folder: folder.path)
    var (answers, reused) = (0, 0)
    for seed in seeds {
      var chat = try RandomChat(seed: seed, table: table, folder: folder)
      for _ in 0..<6 {
        guard let (messages, owner) = try await chat.next() else { continue }
        let request = TinyChat.request(messages, owner: owner, limit: 10)
        let warm = try await chat.host.result(of: request)
        let cold = try await reference.result(
          of: TinyChat.request(messages, limit: 10, reuses: false))
        try #require(warm.tokens == cold.tokens, "seed \(seed): \(chat.log)")
        chat.add(warm)
        answers += 1
        reused += warm.stats.cachedTokens > 0 ? 1 : 0
      }
      await chat.host.shutDown()
      #expect(chat.host.cacheWarnings.isEmpty)
    }
    #expect(reused > answers / 2, "the caches must have been of use")
    print("\(answers) answers of \(seeds.count) chats, \(reused) of them from a cache")
  }
}

/// The texts that chats by chance are made of.
private struct CacheTable {
  let folder: String
  let systems = [
    "You are a helpful assistant. Answer in one short sentence, please.",
    "You are a helpful assistant. Answer in one short sentence, please, and be kind.",
    "Answer briefly.",
  ]
  let questions = [
    "Hello!", "My name is Anna.", "What is the capital of France?", "Count from 3 to 9.",
    "What is my name?", "Tell me a story about a fox.", "What is a river?", "Thank you! 😀",
  ]
}

private struct RandomChat {
  private(set) var host: ModelHost
  private(set) var log: [String] = []
  private var random: RandomNumbers
  private var messages: [JSONValue] = []
  private var owner: UInt64 = 1
  private let table: CacheTable
  private let folder: TemporaryFolder

  init(seed: UInt64, table: CacheTable, folder: TemporaryFolder) throws {
    random = RandomNumbers(state: seed)
    self.table = table
    self.folder = folder
    host = try Self.host(table, &random)
    if random.chance(2) { messages.append(TinyChat.system(random.pick(table.systems))) }
  }

  /// Every kind of cache that there is, small enough to run over.
  private static func host(_ table: CacheTable, _ random: inout RandomNumbers) throws -> ModelHost {
    let cache: PrefixCacheOptions? =
      random.chance(4)
      ? nil
      : PrefixCacheOptions(
        folder: random.chance(3) ? nil : table.folder, maximumFiles: 6,
        maximumStates: random.below(4), maximumBytes: 1 << 20)
    return try ModelHost(
      LoadedModel.load(
        path: TinyChat.path,
        options: LoadOptions(
          contextLength: 512, compute: ComputeOptions(threads: 1),
          maximumSequences: 1 + random.below(3), prefixCache: cache)))
  }

  /// Changes something and asks; nil if there is nothing to ask.
  mutating func next() async throws -> ([JSONValue], UInt64)? {
    switch random.below(12) {
    case 0: edit()
    case 1: drop()
    case 2: fork()
    case 3: rewrite()
    case 4: try await restart()
    case 5: try await saveAndRestore()
    case 6:
      ask()
      try await interrupt()
      return (messages, owner)
    default: break
    }
    ask()
    return (messages, owner)
  }

  mutating func add(_ result: GenerationResult) {
    messages.append(TinyChat.assistant(random.chance(3) ? result.text : result.rawText))
  }

  private mutating func ask() {
    // Two user turns in a row are legal too.
    messages.append(TinyChat.user(random.pick(table.questions)))
    log.append("ask")
    if messages.count > 12 { messages.removeFirst(messages.count - 12) }
  }

  /// One word of one message.
  private mutating func edit() {
    guard !messages.isEmpty else { return }
    let index = random.below(messages.count)
    let text = (messages[index]["content"]?.stringValue ?? "") + " Please."
    messages[index] = ["role": messages[index]["role"] ?? "user", "content": .string(text)]
    log.append("edit \(index)")
  }

  private mutating func drop() {
    messages.removeLast(min(messages.count, 1 + random.below(3)))
    log.append("drop")
  }

  private mutating func fork() {
    owner = UInt64(1 + random.below(5))
    log.append("fork \(owner)")
  }

  /// What a template does that leaves out earlier thinking: earlier answers get shorter.
  private mutating func rewrite() {
    for (index, message) in messages.enumerated() where message["role"] == "assistant" {
      let words = (message["content"]?.stringValue ?? "").split(separator: " ").dropFirst()
      messages[index] = TinyChat.assistant(words.joined(separator: " "))
    }
    log.append("rewrite")
  }

  private mutating func restart() async throws {
    await host.shutDown()
    host = try Self.host(table, &random)
    log.append("restart")
  }

  private mutating func saveAndRestore() async throws {
    let path = folder.path + "/chat.session"
    try await host.save(owner: owner, path)
    if random.chance(2) { try await restart() }
    owner = UInt64(1 + random.below(5))
    _ = try await host.restore(path, owner: owner)
    log.append("restore as \(owner)")
  }

  private mutating func interrupt() async throws {
    let task = GenerationTask()
    if random.chance(2) { task.stop() }
    let request = TinyChat.request(messages, owner: owner)
    _ = try await host.result(of: request, task: task) { event in
      if case .text = event { task.stop() }
    }
    log.append("interrupt")
  }
}

extension ModelHost {
  func save(owner: UInt64, _ path: String, attachment: String = "") async throws {
    try await withCheckedThrowingContinuation { continuation in
      saveSession(of: owner, attachment: Array(attachment.utf8), to: path) {
        continuation.resume(with: $0)
      }
    }
  }

  func restore(_ path: String, owner: UInt64) async throws -> String {
    let bytes: [UInt8] = try await withCheckedThrowingContinuation { continuation in
      restoreSession(from: path, as: owner) { continuation.resume(with: $0) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The same numbers in every run.
private struct RandomNumbers {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }

  /// True once in so many times.
  mutating func chance(_ times: Int) -> Bool { below(times) == 0 }
  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
