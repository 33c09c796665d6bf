import FaultServer
import Foundation
import Testing

@testable import Transfer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct HTTPClientTests {
  private func events(_ lines: [String]) throws -> [HTTPHeadParser.Event] {
    var parser = HTTPHeadParser(try #require(URL(string: "http://a.example/x")))
    return lines.map { parser.read(Array("\($0)\r\n".utf8)) }.filter { $0 != .none }
  }

  private func head(_ lines: [String]) throws -> HTTPResponse? {
    guard case .head(let response) = try events(lines + [""]).first else { return nil }
    return response
  }

  @Test func aHeadIsItsStatusAndFields() throws {
    let response = try head([
      "HTTP/1.1 206 Partial Content", "ETag:  \"1\" ", "X: a", "x: b", "Empty:", "no colon", ": y",
    ])
    #expect(response?.status == 206)
    #expect(response?.headers == ["etag": "\"1\"", "x": "a, b", "empty": ""])
    #expect(response?.value("eTag") == "\"1\"")
    #expect(try head(["HTTP/1.1 200"])?.status == 200)
    #expect(try head(["HTTP/2 302", "Location: /y"])?.location == "/y")
    #expect(try head(["HTTP/1.1 200 OK", "Location: /y"])?.location == nil)
    #expect(try head(["HTTP/1.1 999 Odd"])?.status == 999)
  }

  @Test(arguments: ["HTTP/1.1", "HTTP/1.1 abc OK", "HTTP/1.1 99999 OK", "HTTP/1.1 -12 OK"])
  func aStatusThatIsNoneIsRefused(_ line: String) throws {
    #expect(try events([line]) == [.invalid("it is not HTTP")])
  }

  @Test func interimAnswersAndTrailersSayNothing() throws {
    let interim = ["HTTP/1.1 103 Early", "X: early", ""]
    let final = ["HTTP/1.1 200 OK", "Y: z", "", "X: trailer", ""]
    let found = try events(interim + final)
    let url = try #require(URL(string: "http://a.example/x"))
    #expect(found == [.head(HTTPResponse(url: url, status: 200, headers: ["y": "z"]))])
    #expect(
      try events(["HTTP/1.1 101 Switch", ""]) == [.invalid("it switches to another protocol")])
    let endless = Array(repeating: ["HTTP/1.1 100 Continue", ""], count: 101).flatMap { $0 }
    #expect(try events(endless) == [.invalid("it does not come to the point")])
    #expect(try events(final + ["HTTP/1.1 200 OK"]).last == .invalid("it comes more than once"))
  }

  @Test func aHeadHasAnEnd() throws {
    let lines =
      ["HTTP/1.1 200 OK"]
      + Array(repeating: "X: " + String(repeating: "a", count: 1_000), count: 300)
    #expect(try events(lines).first == .invalid("its head does not end"))
  }

  @Test func headersOfTheConfigurationAreSentAndCannotAddOthers() async throws {
    let server = try FaultServer { _ in HTTPAnswer(body: Data("x".utf8)) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-App": "one\r\nX-Evil: two", "X-None": ""]
    let transfer = Transfer(configuration: configuration)
    _ = try await transfer.document(server.url, headers: ["X-Own": "three"], limit: 10)
    let headers = try #require(server.requests.first).headers
    #expect(headers["x-app"] == "oneX-Evil: two")
    #expect(headers["x-own"] == "three")
    #expect(headers["x-none"] == "")
    #expect(headers["x-evil"] == nil)
    #expect(headers["accept-encoding"] == "identity")
  }

  /// Answers every request by itself, as an app's tests would.
  private final class Canned: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
      guard let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["ETag": "\"1\""])
      else { return }
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data("canned".utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
    override func stopLoading() {}
  }

  @Test func protocolsOfAConfigurationAreUsed() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Canned.self]
    let url = try #require(URL(string: "http://nowhere.invalid/x"))
    let data = try await Transfer(configuration: configuration).document(url, limit: 10)
    #expect(String(decoding: data, as: UTF8.self) == "canned")
  }

  @Test func urlSessionServesFilesToo() async throws {
    let server = try FaultServer { request in
      request.path == "/a"
        ? HTTPAnswer(302).with { $0.headers.append(("Location", "/b")) }
        : HTTPAnswer(body: Workbench.data)
    }
    let receiver = DocumentReceiver(server.url, limit: Workbench.data.count)
    let url = server.url.appendingPathComponent("a")
    let request = URLRequest(url: url)
    try await SessionClient(.ephemeral).send(
      request, rule: RedirectRule(original: request, url: url, privateHeaders: [], limit: 3),
      stallTimeout: .seconds(5), handler: receiver)
    #expect(receiver.data == Workbench.data)
  }
}
