#if canImport(CCurl)
  import Foundation
  import FoundationNetworking
  import Synchronization

  /// libcurl, with a thread for every request. It is what URLSession uses on Linux too, but that
  /// ends the process at answers which libcurl itself takes calmly.
  ///
  /// Proxies are those of the environment; of the configuration the additional headers count.
  final class CurlClient: HTTPClient {
    private static let mostIdle = 4

    private let additionalHeaders: [String: String]
    /// Handles without a request, with their open connections.
    private let idle = Mutex<[CurlHandle]>([])

    init(_ configuration: URLSessionConfiguration) {
      var headers: [String: String] = [:]
      for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
        headers["\(name)"] = "\(value)"
      }
      additionalHeaders = headers
    }

    func send(
      _ request: URLRequest, rule: RedirectRule, stallTimeout: Duration,
      handler: any ResponseHandler
    ) async throws {
      guard let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle(additionalHeaders) else {
        throw TransferError.network(URLError(.resourceUnavailable), rule.url)
      }
      let isCancelled = Flag()
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread { [self] in
            let exchange = CurlExchange(
              handle, request, rule, stallTimeout, handler, isCancelled: { isCancelled.isSet })
            let outcome = Result { try exchange.run() }
            if case .success = outcome { keep(handle) }
            continuation.resume(with: outcome)
            // After that, as it waits where the system still looks for the host.
            if case .failure = outcome { handle.stop() }
          }
        }
      } onCancel: {
        isCancelled.set()
      }
    }

    private func keep(_ handle: CurlHandle) {
      handle.stop()
      idle.withLock { if $0.count < Self.mostIdle { $0.append(handle) } }
    }
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
  }
#endif
