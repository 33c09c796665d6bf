import FaultServer
import Foundation
import Persistence
import Testing

@testable import Transfer

/// Servers that send nonsense: each answer ends in the exact file or in an error.
@Suite struct HostileAnswerTests {
  private static let content = Data("GGUF and some more bytes".utf8)

  private static let answers: [String] = [
    "", "garbage", "garbage\r\n\r\n", "HTTP/1.1 200\r\n\r\nabc", "HTTP/1.1 abc OK\r\n\r\nabc",
    "HTTP/1.1 999999 \r\n\r\nabc", "HTTP/9.9 200 OK\r\n\r\nabc", "\u{0}\u{0}\u{0}\u{0}",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nabc",
    // What URLSession on Linux ends the process at: lengths that do not fit into a Double's integers,
    // trailers, an orderly end amid the head, and addresses whose port is none.
    "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854774784\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nETag: \"1", "HTTP/1.1 200 OK\r\nETag: 1\r\n\r",
    "HTTP/1.1 302 Found\r\nLocation: //[::1]:70000/%00\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:99999999999999999999/\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: http://\u{0}@:/\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: http://a b/ \u{fffd}\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip\r\n\r\nabc",
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
