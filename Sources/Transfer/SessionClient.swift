import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// URLSession. On Linux it is not the client of choice: some answers end the process in there.
final class SessionClient: HTTPClient {
  private let session: URLSession
  private let router: SessionRouter
  private let queue = DelegateQueue()

  init(_ original: URLSessionConfiguration) {
    // A copy of the caller's, as configurations are objects.
    let configuration = original.copy() as? URLSessionConfiguration ?? .ephemeral
    let router = SessionRouter()
    // What is fetched is kept by whoever asked, and must be what the server has now.
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    self.router = router
    session = URLSession(configuration: configuration, delegate: router, delegateQueue: queue)
  }

  deinit {
    // All exchanges have ended; where one was cancelled, the session may not know yet.
    queue.addUrgent { [session] in session.finishTasksAndInvalidate() }
  }

  /// Sends a request. Returns when the body is complete or the handler wants no more of it.
  ///
  /// - Throws: what the handler throws, `TransferError` or `CancellationError`.
  func send(
    _ request: URLRequest, rule: RedirectRule, stallTimeout: Duration, handler: any ResponseHandler
  ) async throws {
    var request = request
    // The watch below is what counts; this one is there for servers that never connect.
    request.timeoutInterval = max(60, 4 * (stallTimeout / .seconds(1)))
    let task = session.dataTask(with: request)
    let exchange = SessionExchange(task, on: queue, rule, stallTimeout, handler)
    router.add(exchange, for: task)
    defer { router.remove(task) }
    try await withTaskCancellationHandler {
      try await exchange.run()
    } onCancel: {
      exchange.finish(.failure(CancellationError()))
    }
  }
}

/// Leads the session's calls to the exchanges they are for.
private final class SessionRouter: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: SessionExchange]>([:])

  func add(_ exchange: SessionExchange, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  func remove(_ task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = nil }
  }

  private func exchange(_ task: URLSessionTask) -> SessionExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    guard let exchange = exchange(dataTask) else { return }
    exchange.receive(response)
    exchange.answer { completionHandler(.allow) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    guard let exchange = exchange(task) else { return }
    let next = exchange.redirect(response, to: request.url)
    exchange.answer { completionHandler(next) }
  }

  /// Nobody is here to give passwords, and the session would go on asking.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let exchange = exchange(task) else { return }
    if let response = challenge.failureResponse {
      exchange.receive(response)
    } else {
      // About the server's certificate, which the system judges.
      exchange.answer { completionHandler(.performDefaultHandling, nil) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    exchange(task)?.complete(error)
  }
}
