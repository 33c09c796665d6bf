import FaultServer
import Foundation
import Persistence
import Testing

@testable import Transfer

/// Servers that send nonsense: each answer ends in the exact file or in an error. Answers that
/// Foundation's own client does not survive are not among them; README, "Limits".
@Suite struct HostileAnswerTests {
  private static let content = Data("GGUF and some more bytes".utf8)

  private static let answers: [String] = [
    "", "garbage", "garbage\r\n\r\n", "HTTP/1.1 200\r\n\r\nabc", "HTTP/1.1 abc OK\r\n\r\nabc",
    "HTTP/1.1 999999 \r\n\r\nabc", "HTTP/9.9 200 OK\r\n\r\nabc", "\u{0}\u{0}\u{0}\u{0}",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nabc",
    // The largest length that Foundation itself survives on Linux; README, "Limits".
    "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854774784\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 7\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 0x10\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\n: novalue\r\nnocolon\r\nX\u{0}Y: z\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 300_000) + "\r\n\r\nabc",
    String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1_000) + "HTTP/1.1 204 No\r\n\r\n",
    "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: \u{1} http://[::bad\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n\r\n",
    "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-23/*\r\nContent-Length: 3\r\n\r\nabc",
    "HTTP/1.1 416 No\r\nContent-Range: bytes */0\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Max-Age=99999999999999999999; domain=;;\r\n\r\nabc",
  ]

  private func check(_ answer: Data, _ name: String) async throws {
    let bench = try Workbench(stall: .milliseconds(300), retries: 1)
    let server = try FaultServer { _ in .raw(answer) }
    let error = await bench.problem(server, sha256: SHA256.digest(Self.content))
    if let error {
      #expect(error is TransferError, "\(name): \(error)")
      #expect(bench.content == nil, "\(name)")
      #expect(!"\(error)".isEmpty)
    } else {
      #expect(bench.content == Self.content, "\(name)")
    }
    _ = try? await bench.transfer.probe(server.url)
    _ = try? await bench.transfer.document(server.url, limit: 100)
  }

  @Test(arguments: answers.indices) func anErrorAndNoCrash(_ index: Int) async throws {
    try await check(Data(Self.answers[index].utf8), "answer \(index)")
  }
}
