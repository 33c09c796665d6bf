#if canImport(CCurl)
  import CCurl
  import Foundation
  import FoundationNetworking

  /// One request with its redirections. All of it happens on the thread that calls `run`. The handle
  /// is not stopped at the end.
  final class CurlExchange {
    /// How the exchange ends, known before the answer has come to its end.
    private enum Ending {
      case finished
      case redirected(HTTPResponse)
      case failed(any Error)
    }

    /// A rest of an answer that nobody wants is read up to so many bytes, to keep the connection.
    private static let spareBytes = 16 << 10
    /// How soon a cancellation is noticed.
    private static let longestWait: Int32 = 50
    private static let restInterval = Duration.milliseconds(250)

    private let handle: CurlHandle
    private let original: URLRequest
    private let rule: RedirectRule
    private let stallTimeout: Duration
    private let handler: any ResponseHandler
    private let isCancelled: () -> Bool
    private let url: URL

    private var parser: HTTPHeadParser
    private var ending: Ending?
    private var sparedBytes = 0
    private var lastActivity = ContinuousClock.now
    private var lastRest = ContinuousClock.now

    init(
      _ handle: CurlHandle, _ request: URLRequest, _ rule: RedirectRule, _ stallTimeout: Duration,
      _ handler: any ResponseHandler, isCancelled: @escaping () -> Bool
    ) {
      self.handle = handle
      self.original = request
      self.rule = rule
      self.stallTimeout = stallTimeout
      self.handler = handler
      self.isCancelled = isCancelled
      url = rule.url
      parser = HTTPHeadParser(url)
    }

    func run() throws {
      var request = original
      var redirections = 0
      while let response = try perform(request) {
        handler.receiveRedirection(response)
        let source = request.url ?? url
        let target = response.location.flatMap { URL(string: $0, relativeTo: source)?.absoluteURL }
        switch rule.verdict(on: target, from: source, count: redirections) {
        case .follow(let next): request = next
        case .refuse(let problem): throw TransferError.invalidResponse(problem, url)
        }
        redirections += 1
      }
    }

    /// - Returns: the answer where it leads elsewhere.
    private func perform(_ request: URLRequest) throws -> HTTPResponse? {
      parser = HTTPHeadParser(request.url ?? url)
      ending = nil
      sparedBytes = 0
      lastActivity = .now
      handle.start(request, for: self)
      while true {
        let result = handle.step()
        if isCancelled() { throw CancellationError() }
        let silence = lastActivity.duration(to: .now)
        if result != nil || silence >= stallTimeout, let ending {
          switch ending {
          case .finished: return nil
          case .redirected(let response): return response
          case .failed(let error): throw error
          }
        }
        if let result { return try conclude(result) }
        if silence >= stallTimeout {
          throw TransferError.stalled(seconds: Int(silence / .seconds(1)), url)
        }
        if lastRest.duration(to: .now) >= Self.restInterval {
          handler.rest()
          lastRest = .now
        }
        handle.wait(milliseconds: Self.longestWait)
      }
    }

    private func conclude(_ result: CURLcode) throws -> HTTPResponse? {
      guard result == CURLE_OK else { throw TransferError(result, url) }
      guard parser.isComplete else {
        throw TransferError.invalidResponse("it has no content", url)
      }
      return nil
    }

    /// One line of a head, or a trailer, with its line end. False ends the request.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
      defer { lastActivity = .now }
      switch parser.read(line) {
      case .none: return true
      case .invalid(let problem):
        ending = .failed(TransferError.invalidResponse(problem, url))
        return false
      case .head(let response): return receive(response)
      }
    }

    private func receive(_ response: HTTPResponse) -> Bool {
      do {
        if response.location != nil {
          ending = .redirected(response)
        } else if try !handler.receive(response) {
          ending = .finished
        } else {
          return true
        }
      } catch {
        ending = .failed(error)
      }
      let length = response.value("Content-Length").flatMap { Int($0) } ?? .max
      return original.httpMethod == "HEAD" || length <= Self.spareBytes
    }

    /// A piece of the body. False ends the request.
    func receive(body: UnsafeRawBufferPointer) -> Bool {
      // The time that a slow disk takes is not the server's.
      defer { lastActivity = .now }
      guard !isCancelled() else { return false }
      guard ending == nil else {
        sparedBytes += body.count
        return sparedBytes <= Self.spareBytes
      }
      do {
        try handler.receive(Data(body))
        return true
      } catch {
        ending = .failed(error)
        return false
      }
    }
  }

  extension TransferError {
    /// What a result of libcurl other than success says.
    fileprivate init(_ result: CURLcode, _ url: URL) {
      let code: URLError.Code
      switch result {
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
        self = .invalidResponse("it is not HTTP", url)
        return
      case CURLE_URL_MALFORMAT:
        self = .invalidResponse("its address makes no sense", url)
        return
      case CURLE_BAD_CONTENT_ENCODING:
        self = .invalidResponse("it cannot be decoded", url)
        return
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: code = .cannotFindHost
      case CURLE_COULDNT_CONNECT: code = .cannotConnectToHost
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
        CURLE_USE_SSL_FAILED:
        code = .secureConnectionFailed
      case CURLE_PEER_FAILED_VERIFICATION: code = .serverCertificateUntrusted
      default: code = .networkConnectionLost
      }
      self = .network(URLError(code), url)
    }
  }
#endif
