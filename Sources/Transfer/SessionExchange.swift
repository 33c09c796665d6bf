import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its answer. It ends once: with the answer, with an error, with a cancellation or
/// because nothing arrived for too long.
final class SessionExchange: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var outcome: Result<Void, any Error>?
    var lastActivity = ContinuousClock.now
    var redirections = 0
    var interims = 0
    var hasResponse = false
    var currentURL: URL
    /// Whether the session is done with the task.
    var isComplete = false
  }

  private let task: URLSessionDataTask
  private let queue: DelegateQueue
  private let rule: RedirectRule
  private let stallTimeout: Duration
  private let handler: any ResponseHandler
  private let url: URL
  private let state: Mutex<State>
  private let watch: Watch
  /// Whether the handler may still be called. Held during its calls.
  private let isOpen = Mutex(true)

  init(
    _ task: URLSessionDataTask, on queue: DelegateQueue, _ rule: RedirectRule,
    _ stallTimeout: Duration, _ handler: any ResponseHandler
  ) {
    self.task = task
    self.queue = queue
    self.rule = rule
    self.stallTimeout = stallTimeout
    self.handler = handler
    url = rule.url
    state = Mutex(State(currentURL: url))
    watch = Watch(every: min(stallTimeout / 4, .milliseconds(250)))
  }

  func run() async throws {
    watch.start { [weak self] in self?.checkStall() }
    defer { watch.stop() }
    try await withCheckedThrowingContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.continuation = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(with: outcome) } else { task.resume() }
    }
  }

  /// Ends the exchange and its connection; later ends and events do not count.
  func finish(_ outcome: Result<Void, any Error>) {
    var continuation: CheckedContinuation<Void, any Error>?
    let isFirst = state.withLock { state in
      guard state.outcome == nil else { return false }
      state.outcome = outcome
      continuation = state.continuation.take()
      return true
    }
    guard isFirst else { return }
    // On the queue of the session's calls: it ends the process where a task is cancelled while its
    // end is being told, and where its questions (redirection, response) are answered after that.
    queue.addUrgent { [self] in
      if !state.withLock({ $0.isComplete }) { task.cancel() }
    }
    // A call in progress comes to its end first: then what the handler works on is free. Not waited
    // for here, as this may be inside of that call.
    if isOpen.withLockIfAvailable({ $0 = false }) != nil {
      continuation?.resume(with: outcome)
      return
    }
    DispatchQueue.global().async { [self, continuation] in
      isOpen.withLock { $0 = false }
      continuation?.resume(with: outcome)
    }
  }

  /// Answers a question of the session, unless nobody waits for it any more.
  func answer(_ body: () -> Void) {
    if state.withLock({ $0.outcome == nil }) { body() }
  }

  /// Calls the handler unless the exchange has ended, which it does where the call fails.
  private func handle(_ body: () throws -> Bool) {
    let result = isOpen.withLock { isOpen in
      isOpen ? Result { try body() } : .success(true)
    }
    // The time that a slow disk takes is not the server's.
    _ = noteActivity()
    switch result {
    case .success(true): break
    case .success(false): finish(.success(()))
    case .failure(let error): finish(.failure(error))
    }
  }

  /// Notes that something arrived; false where nobody waits for it any more.
  private func noteActivity(_ change: (inout State) -> Void = { _ in }) -> Bool {
    state.withLock { state in
      guard state.outcome == nil else { return false }
      state.lastActivity = .now
      change(&state)
      return true
    }
  }

  func receive(_ response: URLResponse) {
    guard noteActivity() else { return }
    guard let response = response as? HTTPURLResponse else {
      return finish(.failure(TransferError.invalidResponse("it is not HTTP", url)))
    }
    if (100..<200).contains(response.statusCode) {
      let count = state.withLock { state in
        state.interims += 1
        return state.interims
      }
      if count > interimAnswerLimit {
        finish(.failure(TransferError.invalidResponse("it does not come to the point", url)))
      }
      return
    }
    var isSecond = false
    guard
      noteActivity({ state in
        isSecond = state.hasResponse
        state.hasResponse = true
      })
    else { return }
    // It would be to a request that the session made by itself.
    if isSecond {
      return finish(.failure(TransferError.invalidResponse("it comes more than once", url)))
    }
    handle { try handler.receive(HTTPResponse(response, of: url)) }
  }

  func receive(_ body: Data) {
    guard noteActivity() else { return }
    handle {
      try handler.receive(body)
      return true
    }
  }

  func redirect(_ response: HTTPURLResponse, to target: URL?) -> URLRequest? {
    var count = 0
    var source = url
    let isWanted = noteActivity { state in
      count = state.redirections
      source = state.currentURL
      state.redirections += 1
    }
    guard isWanted else { return nil }
    handle {
      handler.receiveRedirection(HTTPResponse(response, of: url))
      return true
    }
    switch rule.verdict(on: target, from: source, count: count) {
    case .follow(let request):
      if let target = request.url { state.withLock { $0.currentURL = target } }
      return request
    case .refuse(let problem):
      finish(.failure(TransferError.invalidResponse(problem, url)))
      return nil
    }
  }

  func complete(_ error: (any Error)?) {
    state.withLock { $0.isComplete = true }
    if let error {
      let network = error as? URLError ?? URLError(.unknown)
      // What the session says of a first line that is not HTTP.
      let isNoHTTP = network.code == .unsupportedURL
      finish(
        .failure(
          isNoHTTP
            ? TransferError.invalidResponse("it is not HTTP", url) : .network(network, url)))
    } else if state.withLock({ $0.hasResponse }) {
      finish(.success(()))
    } else {
      finish(.failure(TransferError.invalidResponse("it has no content", url)))
    }
  }

  private func checkStall() {
    // The time of a call in progress is not the server's.
    let stalled = isOpen.withLockIfAvailable { isOpen -> Duration? in
      let silence = state.withLock { $0.lastActivity.duration(to: .now) }
      if silence >= stallTimeout { return silence }
      if isOpen { handler.rest() }
      return nil
    }
    guard let silence = stalled ?? nil else { return }
    let seconds = Int(silence / .seconds(1))
    finish(.failure(TransferError.stalled(seconds: seconds, url)))
  }
}

/// Calls something at intervals, on a thread of the system's.
private final class Watch: Sendable {
  // Safe to share: a dispatch source may be used from any thread.
  nonisolated(unsafe) private let timer = DispatchSource.makeTimerSource()

  init(every interval: Duration) {
    let pause = max(1, Int(interval / .milliseconds(1)))
    timer.schedule(
      deadline: .now() + .milliseconds(pause), repeating: .milliseconds(pause))
  }

  func start(_ action: @escaping @Sendable () -> Void) {
    timer.setEventHandler(handler: action)
    timer.activate()
  }

  func stop() { timer.cancel() }
}

extension HTTPResponse {
  fileprivate init(_ response: HTTPURLResponse, of url: URL) {
    self.url = response.url ?? url
    status = response.statusCode
    headers = [:]
    for (name, value) in response.allHeaderFields {
      headers["\(name)".lowercased()] = "\(value)"
    }
  }
}
