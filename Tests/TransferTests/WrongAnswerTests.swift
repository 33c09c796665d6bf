import FaultServer
import Foundation
import Persistence
import Testing

@testable import Transfer

/// Answers that are not what was asked for (X6, X7).
@Suite struct WrongAnswerTests {
  private let data = Workbench.data

  @Test func d01AnAnswerOf200ToARangeStartsAnew() async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      .file(Workbench.data, for: request, acceptsRanges: request.number == 0).with {
        if request.number == 0 { $0.cutAfter = 80_000 }
      }
    }
    try await bench.fetch(server)
    #expect(bench.content == data)
    #expect(server.requests.map(\.rangeStart) == [nil, 80_000])
  }

  @Test(arguments: [
    "bytes 79999-200002/200003", "bytes 80001-200002/200003", "bytes 0-200002/200003",
    "bytes 80000-200002/100", "bytes -5-3/7", "bytes", "lines 80000-200002/200003",
    "bytes 99999999999999999999-200002/200003", "bytes */200003",
  ])
  func d01ARangeThatIsNotTheOneAskedForIsDiscarded(_ range: String) async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      guard request.number == 1 else {
        return .file(Workbench.data, for: request).with {
          if request.number == 0 { $0.cutAfter = 80_000 }
        }
      }
      return HTTPAnswer(
        206, headers: [("Content-Range", range)], body: Workbench.data.dropFirst(80_000))
    }
    try await bench.fetch(server)
    #expect(bench.content == data)
    #expect(server.requests.map(\.rangeStart) == [nil, 80_000, nil])
  }

  @Test func aRangeThatNobodyAskedForIsRefused() async throws {
    let bench = try Workbench()
    let server = try FaultServer { _ in
      HTTPAnswer(206, headers: [("Content-Range", "bytes 5-9/10")], body: Data(count: 5))
    }
    guard case TransferError.invalidResponse? = await bench.problem(server) else {
      Issue.record("taken")
      return
    }
    #expect(bench.content == nil)
  }

  @Test func d04NothingBehindTheEndMeansItIsAllThere() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    // Of the size that nobody knows any more.
    try data.write(to: bench.part)
    Validators(url: bench.request(server).url, etag: "\"1\"", lastModified: nil, size: nil)
      .write(for: bench.destination.path)
    try await bench.fetch(server)
    #expect(bench.content == data && bench.names == ["model.gguf"])
    #expect(server.requests.map(\.rangeStart) == [200_003])
  }

  @Test(arguments: [1, 200_003]) func d04APartThatIsTooLongIsDiscardedOnce(_ extra: Int)
    async throws
  {
    for knowsSize in [false, true] {
      let bench = try Workbench()
      let server = try FaultServer { .file(Workbench.data, for: $0) }
      try (data + Data(count: extra)).write(to: bench.part)
      Validators(url: bench.request(server).url, etag: "\"1\"", lastModified: nil, size: nil)
        .write(for: bench.destination.path)
      try await bench.fetch(server, size: knowsSize ? 200_003 : nil)
      #expect(bench.content == data)
      #expect(server.requests.count == (knowsSize ? 1 : 2))
    }
  }

  @Test func d04AServerThatAlwaysSays416IsLeft() async throws {
    let bench = try Workbench()
    let server = try FaultServer { _ in HTTPAnswer(416) }
    try bench.plant(data.prefix(1000), of: server)
    let error = await bench.problem(server)
    #expect(error is TransferError)
    #expect(server.requests.count == 2)
  }

  @Test func aChangedFileIsFetchedFromItsBeginning() async throws {
    let bench = try Workbench()
    let other = Data(Workbench.data.reversed())
    let server = try FaultServer { request in
      request.number == 0
        ? .file(Workbench.data, for: request, etag: "\"1\"").with { $0.cutAfter = 70_000 }
        : .file(other, for: request, etag: "\"2\"")
    }
    try await bench.fetch(server)
    #expect(bench.content == other)
    #expect(server.requests.last?.headers["if-range"] == "\"1\"")
  }

  @Test func withoutValidatorsOnlyADigestMakesAPartOfUse() async throws {
    for knowsDigest in [false, true] {
      let bench = try Workbench()
      let server = try FaultServer { .file(Workbench.data, for: $0, etag: nil) }
      try data.prefix(50_000).write(to: bench.part)
      try await bench.fetch(server, sha256: knowsDigest ? Workbench.digest : nil)
      #expect(bench.content == data)
      #expect(server.requests.map(\.rangeStart) == [knowsDigest ? 50_000 : nil])
    }
  }

  @Test func aPartOfOtherBytesIsNoticedAndReplaced() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    try bench.plant(Data(count: 50_000), of: server)
    try await bench.fetch(server, sha256: Workbench.digest)
    #expect(bench.content == data)
    #expect(server.requests.map(\.rangeStart) == [50_000, nil])
  }

  @Test func d06AFlippedByteIsNeverASuccess() async throws {
    for round in 0..<20 {
      let bench = try Workbench()
      var wrong = data
      wrong[(round * 10_007 + 140_000) % wrong.count] ^= 1 << UInt8(round % 8)
      let sent = wrong
      let server = try FaultServer { .file(sent, for: $0) }
      guard
        case TransferError.sha256Mismatch(Workbench.digest, SHA256.digest(sent), _)? =
          await bench.problem(server, sha256: Workbench.digest)
      else {
        Issue.record("not noticed in round \(round)")
        continue
      }
      #expect(bench.names.isEmpty)
    }
  }

  @Test func theDigestOfTheHubIsBelieved() async throws {
    let wrong = String(repeating: "0", count: 64)
    // What another server says of it is not believed.
    let storage = try FaultServer(host: "127.0.0.2") { request in
      .file(Workbench.data, for: request).with { $0.headers.append(("X-Linked-ETag", wrong)) }
    }
    for digest in [Workbench.digest.description, wrong] {
      let bench = try Workbench()
      // As for a repository that has another name now.
      let hub = try FaultServer { request in
        if request.path != "/renamed" { return .redirect("/renamed", status: 307) }
        return .redirect("\(storage.url)/blob").with {
          $0.headers += [("X-Linked-ETag", "\"\(digest)\""), ("X-Linked-Size", "200003")]
        }
      }
      let error = await bench.problem(hub)
      #expect((error == nil) == (digest != wrong))
      #expect((bench.content == data) == (digest != wrong))
      let remote = try await bench.transfer.probe(hub.url.appendingPathComponent("x"))
      #expect(remote.sha256?.description == digest && remote.size == 200_003)
    }
  }

  @Test(arguments: [199_999, 300_000, 0]) func aWrongSizeIsNoSuccess(_ length: Int) async throws {
    let bench = try Workbench(retries: 2)
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with {
        $0.headers.append(("Content-Length", "\(length)"))
      }
    }
    let error = await bench.problem(server, size: 200_003)
    guard case TransferError.sizeMismatch(200_003, Int64(length), _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(bench.content == nil)
  }

  @Test func d08NoLengthNoRangesNoHead() async throws {
    for isChunked in [true, false] {
      let bench = try Workbench()
      let server = try FaultServer { request in
        if request.method == "HEAD" { return HTTPAnswer(405) }
        return .file(Workbench.data, for: request, etag: nil, acceptsRanges: false).with {
          $0.isChunked = isChunked
          $0.sendsLength = false
        }
      }
      try await bench.fetch(server)
      #expect(bench.content == data)
      #expect(bench.isProgressOrderly)
      let remote = try await bench.transfer.probe(server.url.appendingPathComponent("x"))
      #expect(remote == RemoteFile())
    }
  }

  @Test func d08AnEmptyFileIsAFile() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Data(), for: $0) }
    #expect(try await bench.fetch(server).byteCount == 0)
    #expect(bench.content == Data())
  }

  @Test func d08ACompressedBodyIsUnpackedOrRefused() async throws {
    // "hello" in gzip.
    let packed = Data(
      [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10]
        + [0x36, 5, 0, 0, 0])
    let bench = try Workbench()
    let server = try FaultServer { _ in
      HTTPAnswer(headers: [("Content-Encoding", "gzip"), ("ETag", "\"1\"")], body: packed)
    }
    try await bench.fetch(server, size: 5)
    #expect(bench.content == Data("hello".utf8))
    #expect(server.requests.first?.headers["accept-encoding"] == "identity")
    let cut = try FaultServer { _ in
      HTTPAnswer(headers: [("Content-Encoding", "gzip")], body: packed.dropLast(10))
    }
    let other = try Workbench(retries: 1)
    #expect(await other.problem(cut, size: 5) != nil)
    #expect(other.content == nil)
  }

  @Test(arguments: [500, 502, 503, 504, 429, 408]) func troubleThatPassesIsWaitedFor(
    _ status: Int
  ) async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      request.number < 4
        ? HTTPAnswer(status, headers: [("Retry-After", "0")])
        : .file(Workbench.data, for: request)
    }
    try await bench.fetch(server)
    #expect(bench.content == data && server.requests.count == 5)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 451, 204, 304, 300])
  func whatWillNotPassIsReportedAtOnce(_ status: Int) async throws {
    let bench = try Workbench()
    let server = try FaultServer { _ in
      HTTPAnswer(status, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
    }
    guard case TransferError.status(status, _)? = await bench.problem(server) else {
      Issue.record("no status")
      return
    }
    #expect(server.requests.count == 1)
  }

  @Test func redirectionsAreFollowedWithoutTheToken() async throws {
    let storage = try FaultServer(host: "127.0.0.2") { .file(Workbench.data, for: $0) }
    let bench = try Workbench()
    let server = try FaultServer { request in
      request.number == 0 ? .redirect("/again", status: 307) : .redirect("\(storage.url)/blob")
    }
    try await bench.fetch(server, headers: ["Authorization": "Bearer secret"])
    #expect(bench.content == data)
    #expect(
      server.requests.map { $0.headers["authorization"] } == ["Bearer secret", "Bearer secret"])
    #expect(storage.requests.map { $0.headers["authorization"] } == [nil])
  }

  @Test func aResumedTransferIsRedirectedWithItsRange() async throws {
    let storage = try FaultServer(host: "127.0.0.2") { request in
      .file(Workbench.data, for: request).with { if request.number == 0 { $0.cutAfter = 9_000 } }
    }
    let bench = try Workbench()
    let server = try FaultServer { _ in .redirect("\(storage.url)/blob") }
    try await bench.fetch(server)
    #expect(bench.content == data)
    #expect(storage.requests.map(\.rangeStart) == [nil, 9_000])
  }

  @Test(arguments: ["/loop", "ftp://127.0.0.1/x", "file:///etc/passwd", "", "http://", "%%%"])
  func redirectionsThatLeadNowhereEnd(_ location: String) async throws {
    let bench = try Workbench(retries: 1)
    let server = try FaultServer { _ in .redirect(location) }
    let error = await bench.problem(server)
    #expect(error is TransferError, "\(String(describing: error))")
    #expect(bench.content == nil)
    // One try is 1 request and at most 10 redirections; there are two tries.
    #expect(server.requests.count <= 22)
  }

  @Test func documentsThatBreakOffAreFetchedAnew() async throws {
    for isChunked in [false, true] {
      let bench = try Workbench()
      let server = try FaultServer { request in
        .file(Workbench.data, for: request).with {
          $0.isChunked = isChunked
          if request.number < 2 { $0.cutAfter = request.number == 0 ? 0 : 70_000 }
        }
      }
      let url = server.url.appendingPathComponent("x")
      #expect(try await bench.transfer.document(url, limit: 300_000) == data)
      #expect(server.requests.count == 3)
    }
  }

  @Test func aLengthOfZeroForHeadIsNoLength() async throws {
    let bench = try Workbench()
    let server = try FaultServer { _ in HTTPAnswer(headers: [("ETag", "\"1\"")]) }
    let remote = try await bench.transfer.probe(server.url.appendingPathComponent("x"))
    #expect(remote == RemoteFile(etag: "\"1\""))
  }

  @Test func documentsHaveALimit() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    let url = server.url.appendingPathComponent("x")
    #expect(try await bench.transfer.document(url, limit: 200_003) == data)
    await #expect(throws: TransferError.self) {
      try await bench.transfer.document(url, limit: 200_002)
    }
    await #expect(throws: TransferError.self) {
      try await bench.transfer.document(URL(fileURLWithPath: "/etc/passwd"), limit: 100)
    }
  }
}
