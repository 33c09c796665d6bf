import FaultServer
import Foundation
import Persistence
import Synchronization
import Testing

@testable import Transfer

/// Answers that were changed at random: each ends in the exact file or in an error, in time.
@Suite struct MutatedAnswerTests {
  private static let content = Data("GGUF and some more bytes".utf8)

  /// A generator that gives the same numbers in every run.
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  private static let statuses = [200, 200, 200, 206, 206, 302, 307, 401, 404, 416, 429, 503, 999]

  private static func header(_ random: inout Random) -> (String, String) {
    let sizes = ["24", "0", "23", "25", "-1", "x", "", "24, 24", "99999999999999999999", "1e3"]
    let names: [(String, [String])] = [
      ("Content-Length", sizes), ("X-Linked-Size", sizes),
      ("Content-Range", ["bytes 0-23/24", "bytes 5-23/24", "bytes */24", "bytes 0-0/1", "24"]),
      ("ETag", ["\"1\"", "W/\"1\"", "", "\"", String(repeating: "e", count: 5_000)]),
      ("X-Linked-ETag", [SHA256.digest(content).description, String(repeating: "0", count: 64)]),
      ("Location", ["/x", "?", "#", "http://", "http://127.0.0.1:1/", "ftp://a/b", "%zz", "a:b"]),
      ("Content-Encoding", ["gzip", "identity", "br", "gzip, gzip", "x"]),
      ("Retry-After", ["0", "-5", "soon"]), ("Last-Modified", ["yesterday", ""]),
      ("Transfer-Encoding", ["chunked", "gzip", "identity"]), ("Set-Cookie", ["a=b; Path=;", "="]),
      ("WWW-Authenticate", ["Basic realm=\"x\"", "Basic", ",,,", "Digest"]),
      ("Accept-Ranges", ["bytes", "none"]), ("Connection", ["close", "upgrade"]),
    ]
    let (name, values) = names.randomElement(using: &random) ?? ("X", [])
    guard Int.random(in: 0..<5, using: &random) == 0 else {
      return (name, values.randomElement(using: &random) ?? "")
    }
    let noise = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
      UInt8.random(in: 32..<127, using: &random)
    }
    return (name, String(decoding: noise, as: UTF8.self))
  }

  private static func answer(_ random: inout Random) -> HTTPAnswer {
    var body = content
    switch Int.random(in: 0..<4, using: &random) {
    case 0: body = body.prefix(Int.random(in: 0...24, using: &random))
    case 1: body[Int.random(in: 0..<24, using: &random)] ^= 1
    case 2: body += Data("more".utf8)
    default: break
    }
    return HTTPAnswer(statuses.randomElement(using: &random) ?? 200, body: body).with { answer in
      for _ in 0..<Int.random(in: 0..<6, using: &random) { answer.headers.append(header(&random)) }
      answer.sendsLength = Bool.random(using: &random)
      answer.isChunked = Int.random(in: 0..<6, using: &random) == 0
      answer.resets = Int.random(in: 0..<8, using: &random) == 0
      if Int.random(in: 0..<8, using: &random) == 0 { answer.cutAfter = 5 }
    }
  }

  /// Whole answers with bytes changed, removed, doubled or cut off anywhere.
  private static func rawAnswer(_ random: inout Random) -> HTTPAnswer {
    let lines = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
      let (name, value) = header(&random)
      return "\(name): \(value)\r\n"
    }
    let status = statuses.randomElement(using: &random) ?? 200
    let isChunked = Bool.random(using: &random)
    let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 24"
    var bytes = Data("HTTP/1.1 \(status) OK\r\n\(length)\r\n\(lines.joined())\r\n".utf8)
    bytes +=
      isChunked ? Data("18\r\n".utf8) + content + Data("\r\n0\r\nX: y\r\n\r\n".utf8) : content
    for _ in 0..<Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(bytes[place], at: place)
      default: bytes = bytes.prefix(place)
      }
    }
    return .raw(bytes)
  }

  private static func check(_ seed: Int) async throws -> Bool {
    let bench = try Workbench(stall: .seconds(1), retries: 2)
    let random = Mutex(Random(state: UInt64(seed)))
    let server = try FaultServer { _ in
      random.withLock { seed % 4 < 2 ? Self.answer(&$0) : Self.rawAnswer(&$0) }
    }
    if seed % 3 == 0 { try content.prefix(7).write(to: bench.part) }
    let isKnown = seed % 2 == 0
    let start = ContinuousClock.now
    let error = await bench.problem(
      server, size: seed % 5 == 0 ? 24 : nil, sha256: isKnown ? SHA256.digest(content) : nil)
    #expect(start.duration(to: .now) < .seconds(20), "seed \(seed)")
    #expect(server.requests.count < 200, "seed \(seed)")
    if let error {
      #expect(error is TransferError, "seed \(seed): \(error)")
      #expect(bench.content == nil, "seed \(seed)")
    } else if isKnown {
      #expect(bench.content == content, "seed \(seed)")
    }
    return error == nil
  }

  @Test func everyAnswerEndsInTheFileOrAnError() async throws {
    let count = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == nil ? 300 : 10_000
    let seeds = Counter()
    let arrivals = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          while case let seed = seeds.next(), seed < count {
            if try await Self.check(seed) { _ = arrivals.next() }
          }
        }
      }
      try await group.waitForAll()
    }
    let files = arrivals.next()
    print("\(count) mutated answers: \(files) files, the rest errors")
    #expect(files > count / 20 && files < count)
  }
}
