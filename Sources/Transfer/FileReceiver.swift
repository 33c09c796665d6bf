import Foundation
import Persistence
import Synchronization

/// Writes one answer's body into a part file.
final class FileReceiver: ResponseHandler {
  /// What is here cannot be continued: the text says why.
  struct Discarded: Error {
    var problem: String
  }

  private struct State {
    var linked: LinkedFile?
    var size: Int64?
    var isRestarted = false
    var wish: Duration?
    var meter = SpeedMeter()
  }

  private let request: TransferRequest
  private let part: PartFile
  private let report: @Sendable (TransferProgress) -> Void
  private let state: Mutex<State>

  init(
    _ request: TransferRequest, _ part: PartFile,
    _ report: @escaping @Sendable (TransferProgress) -> Void
  ) {
    self.request = request
    self.part = part
    self.report = report
    state = Mutex(State(size: request.size))
  }

  /// What the file must be like, as far as that is known by now.
  var expectation: (size: Int64?, sha256: SHA256Digest?) {
    state.withLock { ($0.size, request.sha256 ?? $0.linked?.sha256) }
  }

  /// Whether the server sent the file from its beginning.
  var isRestarted: Bool { state.withLock { $0.isRestarted } }

  /// How long the server wants to be left alone.
  var wish: Duration? { state.withLock { $0.wish } }

  func receiveRedirection(_ response: HTTPResponse) {
    state.withLock { state in state.linked = state.linked ?? LinkedFile(response, of: request.url) }
  }

  func receive(_ response: HTTPResponse) throws -> Bool {
    let head = ResponseHead(response)
    let size = state.withLock { state in
      state.linked = state.linked ?? LinkedFile(response, of: request.url)
      state.wish = RetrySchedule.wish(head.retryAfter)
      state.size = state.size ?? state.linked?.size
      return state.size
    }
    switch ResponseDecision(head, offset: part.byteCount, size: size) {
    case .append(let total):
      try begin(total)
    case .restart(let total):
      let validators = Validators(
        url: request.url, etag: head.etag, lastModified: head.lastModified, size: total)
      state.withLock { $0.isRestarted = true }
      if part.byteCount > 0 { try part.clear() }
      try begin(total)
      validators.write(for: part.destination)
    case .complete:
      return false
    case .discard(let problem):
      throw Discarded(problem: problem)
    case .wrongSize(let found):
      throw TransferError.sizeMismatch(expected: size ?? 0, found: found, request.url)
    case .invalid(let problem):
      throw TransferError.invalidResponse(problem, request.url)
    case .retry, .refuse:
      throw TransferError.status(head.status, request.url)
    }
    return true
  }

  private func begin(_ total: Int64?) throws {
    let size = state.withLock { state in
      state.size = state.size ?? total
      return state.size
    }
    if let size { try part.checkSpace(for: size - part.byteCount) }
    report(TransferProgress(receivedBytes: part.byteCount, totalBytes: size, bytesPerSecond: 0))
  }

  private func report(_ speed: Int64) {
    let size = state.withLock { $0.size }
    report(TransferProgress(receivedBytes: part.byteCount, totalBytes: size, bytesPerSecond: speed))
  }

  /// Reports the bytes that came right after the last report.
  func rest() {
    let speed = state.withLock { state in
      state.meter.hasNews && state.meter.add(0) ? state.meter.bytesPerSecond : nil
    }
    if let speed { report(speed) }
  }

  func receive(_ body: Data) throws {
    let size = state.withLock { $0.size }
    if let size, Int64(body.count) > size - part.byteCount {
      throw TransferError.sizeMismatch(
        expected: size, found: part.byteCount + Int64(body.count), request.url)
    }
    try part.append(body)
    let speed = state.withLock { state in
      state.meter.add(body.count) ? state.meter.bytesPerSecond : nil
    }
    if let speed { report(speed) }
  }
}
