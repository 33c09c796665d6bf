import Foundation
import Persistence
import Testing

@testable import Transfer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is decided without a network.
@Suite struct DecisionTests {
  @Test func pausesDoubleUpToALimitAndEnd() {
    var options = TransferOptions()
    options.retries = 8
    var schedule = RetrySchedule(options)
    let pauses = (0..<9).map { _ in schedule.pause(random: 1) }
    #expect(pauses[0] == .milliseconds(500) && pauses[1] == .seconds(1) && pauses[2] == .seconds(2))
    #expect(pauses[7] == .seconds(20) && pauses[8] == nil)
    schedule.noteProgress()
    #expect(schedule.pause(random: 0) == .milliseconds(250))
    #expect(schedule.pause(limit: 1) == nil)
    #expect(schedule.pause(wish: .seconds(3)) == .seconds(3))
    #expect(schedule.pause(wish: .seconds(3_000)) == RetrySchedule.longestWish)
    options.retries = .max
    var endless = RetrySchedule(options)
    for _ in 0..<100 { #expect(endless.pause(random: 1) ?? .zero <= .seconds(20)) }
  }

  @Test(arguments: [
    ("5", 5), (" 7 ", 7), ("0", 0), ("99999999999", 1 << 20),
  ]) func wishesAreRead(_ header: String, _ seconds: Int) {
    #expect(RetrySchedule.wish(header) == .seconds(seconds))
    for text in ["", "-1", "x", "Wed, 21 Oct 2026 07:28:00 GMT", "99999999999999999999999"] {
      #expect(RetrySchedule.wish(text) == nil)
    }
  }

  @Test func rangesAreReadStrictly() {
    typealias Range = ResponseHead.ContentRange
    #expect(Range("bytes 0-9/10") == Range(bounds: 0...9, total: 10))
    #expect(Range("bytes 5-9/*") == Range(bounds: 5...9))
    #expect(Range("bytes */10") == Range(total: 10))
    for text in [
      "", "bytes", "bytes 9-5/10", "bytes 0-10/10", "bytes -1-5/10", "bytes 0-/10", "lines 0-9/10",
      "bytes 0-9", "bytes 0-9/-3", "bytes 0-99999999999999999999/*", "bytes 0 - 9/10",
    ] { #expect(Range(text) == nil, "\(text)") }
  }

  @Test func partsAreWorthWhatIsKnownOfThem() throws {
    let url = try #require(URL(string: "http://127.0.0.1/x"))
    let other = try #require(URL(string: "http://127.0.0.1/y"))
    let digest = SHA256.digest(Data())
    func plan(
      _ part: Int64, size: Int64? = nil, sha256: SHA256Digest? = nil, _ known: Validators?
    ) -> ResumePlan {
      let request = TransferRequest(
        url: url, destination: URL(fileURLWithPath: "/x"), size: size, sha256: sha256)
      return ResumePlan(request, partBytes: part, validators: known)
    }
    let strong = Validators(url: url, etag: "\"1\"", lastModified: "d", size: 10)
    let weak = Validators(url: url, etag: "W/\"1\"", lastModified: "d", size: nil)
    let none = Validators(url: url, etag: nil, lastModified: nil, size: 10)
    let foreign = Validators(url: other, etag: "\"1\"", lastModified: nil, size: 10)
    #expect(plan(0, strong) == .fresh)
    #expect(plan(5, strong) == .resume(condition: "\"1\""))
    #expect(plan(5, weak) == .resume(condition: "d"))
    #expect(plan(10, strong) == .complete && plan(11, strong) == .fresh)
    for known in [none, foreign, nil] {
      #expect(plan(5, known) == .fresh)
      #expect(plan(5, sha256: digest, known) == .resume(condition: nil))
    }
    #expect(plan(7, size: 7, sha256: digest, nil) == .complete)
    #expect(plan(8, size: 7, sha256: digest, nil) == .fresh)
  }

  @Test func answersMeanWhatTheySay() {
    typealias Head = ResponseHead
    func decide(_ head: Head, _ offset: Int64, _ size: Int64? = nil) -> ResponseDecision {
      ResponseDecision(head, offset: offset, size: size)
    }
    #expect(decide(Head(status: 200, contentLength: 10), 5) == .restart(total: 10))
    #expect(decide(Head(status: 200, contentLength: 10), 0, 11) == .wrongSize(10))
    #expect(
      decide(Head(status: 200, contentLength: 7, isEncoded: true), 0, 11) == .restart(total: nil))
    let rest = Head(status: 206, contentLength: 5, contentRange: .init(bounds: 5...9, total: 10))
    #expect(decide(rest, 5) == .append(total: 10))
    guard case .discard = decide(rest, 5, 12), case .discard = decide(rest, 4),
      case .invalid = decide(rest, 0)
    else {
      Issue.record("a wrong range was taken")
      return
    }
    let past = Head(status: 416, contentRange: .init(total: 10))
    #expect(decide(past, 10) == .complete && decide(past, 0) == .refuse)
    for status in [408, 425, 429, 500, 503, 599] {
      #expect(decide(Head(status: status), 3) == .retry)
    }
    for status in [201, 204, 304, 400, 404, 451, 600] {
      #expect(decide(Head(status: status), 3) == .refuse)
    }
  }

  @Test func aPartOfAFileOfUnknownLengthIsOfNoUse() {
    let head = ResponseHead(status: 206, contentRange: .init(bounds: 5...9))
    guard case .discard = ResponseDecision(head, offset: 5, size: nil),
      case .append(10) = ResponseDecision(head, offset: 5, size: 10),
      case .invalid = ResponseDecision(
        ResponseHead(status: 206, contentRange: .init(bounds: 0...9)), offset: 0, size: nil)
    else {
      Issue.record("nothing would tell when all of it has arrived")
      return
    }
  }

  @Test func errorsAreSentencesThatNameThePlace() throws {
    let url = try #require(URL(string: "http://127.0.0.1/x"))
    let digest = SHA256.digest(Data())
    let networks: [URLError.Code] = [
      .cannotFindHost, .cannotConnectToHost, .notConnectedToInternet, .secureConnectionFailed,
      .timedOut,
    ]
    let aboutServers: [TransferError] =
      [401, 404, 418, 429, 503].map { .status($0, url) }
      + networks.map { .network(URLError($0), url) } + [
        .invalidResponse("it is not HTTP", url), .stalled(seconds: 20, url),
        .sizeMismatch(expected: 1, found: 2, url),
        .sha256Mismatch(expected: digest, found: digest, url),
      ]
    let aboutFiles: [TransferError] = [
      .insufficientSpace(needed: 5, available: 3, path: "/a/b"),
      .file(operation: "written", path: "/a/b", errno: EROFS),
    ]
    for error in aboutServers { #expect("\(error)".contains(url.absoluteString)) }
    for error in aboutFiles { #expect("\(error)".contains("/a/b")) }
    for error in aboutServers + aboutFiles {
      let text = error.localizedDescription
      #expect(text == "\(error)" && text.hasSuffix(".") && !text.contains("  "))
    }
    #expect(Set((aboutServers + aboutFiles).map(\.description)).count == 16)
  }

  @Test func theRoomOfAFolderThatIsNotThereYetIsKnown() throws {
    let here = try #require(DiskSpace.available(at: "/"))
    #expect(here > 0 && DiskSpace.available(at: "/no such folder/and none in it") != nil)
  }

  @Test func speedsAreNeverNegativeNorInfinite() {
    var meter = SpeedMeter()
    let start = ContinuousClock.now
    #expect(meter.bytesPerSecond == 0)
    #expect(meter.add(1_000, at: start) && meter.bytesPerSecond == 0)
    #expect(!meter.add(1_000, at: start + .milliseconds(50)) && meter.hasNews)
    #expect(meter.add(1_000, at: start + .seconds(1)) && meter.bytesPerSecond == 2_000)
    #expect(meter.add(0, at: start + .seconds(100)) && meter.bytesPerSecond == 0)
    // A clock that stands still.
    var frozen = SpeedMeter()
    for _ in 0..<10 { _ = frozen.add(.max / 20, at: start) }
    #expect(frozen.bytesPerSecond == 0)
  }

  @Test func redirectionsKeepSecretsAtHome() throws {
    func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
    let original = try url("https://a.example/x")
    var request = URLRequest(url: original)
    request.setValue("Bearer s", forHTTPHeaderField: "Authorization")
    request.setValue("bytes=5-", forHTTPHeaderField: "Range")
    let rule = RedirectRule(
      original: request, url: original, privateHeaders: ["Authorization"], limit: 3)
    func token(_ target: String) throws -> String? {
      guard
        case .follow(let next) = rule.verdict(
          on: try url(target), from: try url("https://a.example/x"), count: 0)
      else { return "refused" }
      #expect(next.value(forHTTPHeaderField: "Range") == "bytes=5-")
      return next.value(forHTTPHeaderField: "Authorization")
    }
    for same in ["https://a.example/y", "https://A.example:443/y"] {
      #expect(try token(same) == "Bearer s")
    }
    for other in ["https://b.example/x", "https://a.example:444/x", "https://a.example.b.example/"]
    {
      #expect(try token(other) == nil)
    }
    for bad in ["http://a.example/x", "ftp://a.example/x", "https:///x"] {
      #expect(try token(bad) == "refused")
    }
    guard case .refuse = rule.verdict(on: request.url, from: try url("https://a.example"), count: 3)
    else {
      Issue.record("endless")
      return
    }
  }
}
