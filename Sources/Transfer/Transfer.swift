import Foundation
import Persistence

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches files over HTTP. Thread-safe; one instance serves any number of transfers.
public final class Transfer: Sendable {
  let options: TransferOptions
  private let client: any HTTPClient

  public init(
    configuration: URLSessionConfiguration = .ephemeral,
    options: TransferOptions = TransferOptions()
  ) {
    self.options = options
    client = makeHTTPClient(configuration)
  }

  /// Fetches a file, going on where an earlier try stopped. Another process or task that fetches
  /// the same file is waited for. A file that is there already, and is right as far as that can be
  /// told, costs no request.
  ///
  /// - Throws: `TransferError`, or `CancellationError` soon after the task is cancelled; what has
  ///   arrived by then is kept for the next try.
  @concurrent
  public func fetch(
    _ request: TransferRequest,
    progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
  ) async throws -> TransferredFile {
    try await FileFetch(request, self, progress).run()
  }

  /// Fetches a small document into memory.
  ///
  /// - Parameter limit: most bytes it may have.
  /// - Throws: `TransferError` or `CancellationError`.
  @concurrent
  public func document(
    _ url: URL, headers: [String: String] = [:], limit: Int
  ) async throws -> Data {
    try await retrying(url) {
      let receiver = DocumentReceiver(url, limit: limit)
      try await self.send(url, headers: headers, to: receiver)
      return receiver.data
    }
  }

  /// Asks a server about a file.
  ///
  /// - Throws: `TransferError` or `CancellationError`.
  @concurrent
  public func probe(_ url: URL, headers: [String: String] = [:]) async throws -> RemoteFile {
    try await retrying(url) {
      let receiver = ProbeReceiver(url)
      do {
        try await self.send(url, method: "HEAD", headers: headers, to: receiver)
        return try receiver.file()
      } catch TransferError.status(let status, _) where [400, 403, 405, 501].contains(status) {
        // Some servers, and addresses signed for reading, know no HEAD.
        let receiver = ProbeReceiver(url)
        let range = ["Range": "bytes=0-0"]
        try await self.send(url, headers: headers, own: range, to: receiver)
        return try receiver.file()
      }
    }
  }

  /// - Parameters:
  ///   - headers: for the URL's own server alone.
  ///   - own: for whichever server answers in the end.
  func send(
    _ url: URL, method: String = "GET", headers: [String: String], own: [String: String] = [:],
    to receiver: some ResponseHandler
  ) async throws {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      url.host?.isEmpty == false
    else { throw TransferError.invalidResponse("it is no address of a web server", url) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    // A model does not get smaller, and ranges count the bytes of the file itself.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    for (name, value) in headers.merging(own, uniquingKeysWith: { $1 }) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    let rule = RedirectRule(
      original: request, url: url, privateHeaders: Array(headers.keys),
      limit: options.longestRedirection)
    try await client.send(
      request, rule: rule, stallTimeout: options.stallTimeout, handler: receiver)
  }

  private func retrying<Result: Sendable>(
    _ url: URL, _ body: () async throws -> Result
  ) async throws -> Result {
    var schedule = RetrySchedule(options)
    while true {
      try Task.checkCancellation()
      do {
        return try await body()
      } catch let error as TransferError {
        guard error.isWorthRetrying, let pause = schedule.pause(limit: error.retryLimit) else {
          throw error
        }
        try await Task.sleep(for: pause)
      }
    }
  }
}

extension TransferError {
  /// Whether the same request may have another answer soon.
  var isWorthRetrying: Bool {
    switch self {
    case .status(let status, _): [408, 425, 429].contains(status) || status >= 500
    case .network, .stalled, .invalidResponse: true
    case .sizeMismatch, .sha256Mismatch, .insufficientSpace, .file: false
    }
  }

  /// Whether the bytes that arrived are good for nothing.
  var isAboutContent: Bool {
    switch self {
    case .sizeMismatch, .sha256Mismatch: true
    default: false
    }
  }

  /// A host that is not there will hardly come while somebody waits.
  var retryLimit: Int {
    switch self {
    case .network(let error, _):
      switch error.code {
      case .cannotFindHost, .dnsLookupFailed, .secureConnectionFailed, .serverCertificateUntrusted,
        .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid, .notConnectedToInternet, .badURL:
        0
      case .cannotConnectToHost: 2
      default: .max
      }
    case .invalidResponse: 2
    default: .max
    }
  }
}
