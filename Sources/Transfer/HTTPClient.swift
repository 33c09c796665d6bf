import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request at a time per call, its body handed over piece by piece.
protocol HTTPClient: Sendable {
  /// Sends a request. Returns when the body is complete or the handler wants no more of it.
  ///
  /// - Throws: what the handler throws, `TransferError` or `CancellationError`.
  func send(
    _ request: URLRequest, rule: RedirectRule, stallTimeout: Duration, handler: any ResponseHandler
  ) async throws
}

/// What is done with an answer. Called on one thread at a time, and never again after it threw.
protocol ResponseHandler: Sendable {
  /// - Returns: whether the body is wanted.
  func receive(_ response: HTTPResponse) throws -> Bool
  func receive(_ body: Data) throws
  /// Called a few times a second, whether anything arrives or not.
  func rest()
  /// An answer that leads elsewhere.
  func receiveRedirection(_ response: HTTPResponse)
}

extension ResponseHandler {
  func rest() {}
}

/// The beginning of an answer.
struct HTTPResponse: Sendable, Equatable {
  /// Whose answer it is, after redirections.
  var url: URL
  var status: Int
  /// By name in lower case; fields that come more than once are joined by commas.
  var headers: [String: String]

  /// The field of a name written in any case.
  func value(_ name: String) -> String? { headers[name.lowercased()] }

  /// Where the answer leads; nil unless it is a redirection that says so.
  var location: String? {
    [301, 302, 303, 307, 308].contains(status) ? value("Location") : nil
  }
}

/// Interim answers (status 1xx) that a server may send.
let interimAnswerLimit = 100

/// The client that a configuration is for.
func makeHTTPClient(_ configuration: URLSessionConfiguration) -> any HTTPClient {
  #if canImport(CCurl)
    // Those who bring protocols of their own mean URLSession.
    let standard = (URLSessionConfiguration.ephemeral.protocolClasses ?? []).map(
      ObjectIdentifier.init)
    let own = (configuration.protocolClasses ?? []).map(ObjectIdentifier.init)
    if Set(own).isSubset(of: standard) { return CurlClient(configuration) }
  #endif
  return SessionClient(configuration)
}
