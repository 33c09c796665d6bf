import Foundation
import Synchronization

/// The downloads of this process: who asks for what is being fetched already waits for that.
final class DownloadRegistry: Sendable {
  static let shared = DownloadRegistry()

  private let downloads = Mutex<[String: Download]>([:])

  /// Waits for a download, which is started unless it is under way.
  ///
  /// - Parameters:
  ///   - key: what is fetched to where.
  ///   - work: fetches it, and reports on the way.
  func run(
    _ key: String, progress: @escaping @Sendable (ModelProgress) -> Void,
    work:
      @escaping @Sendable (@escaping @Sendable (ModelProgress) -> Void) async throws ->
      StoredModel
  ) async throws -> StoredModel {
    while true {
      let download = downloads.withLock { downloads in
        if let download = downloads[key], download.isOpen { return download }
        let download = Download()
        downloads[key] = download
        return download
      }
      defer {
        downloads.withLock { downloads in
          if downloads[key] === download, !download.isOpen { downloads[key] = nil }
        }
      }
      do {
        return try await download.wait(progress: progress, work: work)
      } catch is Download.Closed {
        // It ended just then.
        continue
      }
    }
  }

  /// How far a download is; nil where there is none.
  func fraction(_ key: String) -> Double? {
    downloads.withLock { downloads in
      downloads[key].flatMap { $0.isOpen ? $0.fraction : nil }
    }
  }

  func stop(where isMeant: (String) -> Bool) {
    let stopped = downloads.withLock { downloads in
      downloads.filter { isMeant($0.key) }.map(\.value)
    }
    for download in stopped {
      download.end(
        .failure(
          ModelDownloadError.downloadCancelled(
            "The download was stopped; what arrived is kept for the next one.")))
    }
  }
}

/// One download and everybody who waits for it.
private final class Download: Sendable {
  /// It has ended; another one is needed.
  struct Closed: Error {}

  private final class Waiter: Sendable {
    let continuation: CheckedContinuation<StoredModel, any Error>
    private let progress: @Sendable (ModelProgress) -> Void
    /// Held during a call, so that there is one at a time and none that goes back.
    private let fraction = Mutex(-1.0)

    init(
      _ continuation: CheckedContinuation<StoredModel, any Error>,
      _ progress: @escaping @Sendable (ModelProgress) -> Void
    ) {
      self.continuation = continuation
      self.progress = progress
    }

    func report(_ value: ModelProgress) {
      fraction.withLock { fraction in
        guard value.fraction >= fraction, fraction < 1 else { return }
        fraction = value.fraction
        progress(value)
      }
    }
  }

  private struct State {
    var waiters: [Int: Waiter] = [:]
    var cancelled: Set<Int> = []
    var nextNumber = 0
    var task: Task<Void, Never>?
    var isOpen = true
    var last = ModelProgress(fraction: 0, bytesPerSecond: 0, receivedBytes: 0)
  }

  private let state = Mutex(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }
  var fraction: Double { state.withLock { $0.last.fraction } }

  func wait(
    progress: @escaping @Sendable (ModelProgress) -> Void,
    work:
      @escaping @Sendable (@escaping @Sendable (ModelProgress) -> Void) async throws ->
      StoredModel
  ) async throws -> StoredModel {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter = Waiter(continuation, progress)
        let (refusal, last) = state.withLock { state -> ((any Error)?, ModelProgress?) in
          if state.cancelled.contains(number) { return (CancellationError(), nil) }
          guard state.isOpen else { return (Closed(), nil) }
          state.waiters[number] = waiter
          if state.task == nil { state.task = start(work) }
          return (nil, state.last.receivedBytes > 0 ? state.last : nil)
        }
        if let refusal { continuation.resume(throwing: refusal) }
        // Whoever comes late need not wait for the next bytes to know.
        if let last { waiter.report(last) }
      }
    } onCancel: {
      leave(number)
    }
  }

  private func start(
    _ work:
      @escaping @Sendable (@escaping @Sendable (ModelProgress) -> Void) async throws ->
      StoredModel
  ) -> Task<Void, Never> {
    Task.detached { [self] in
      do {
        let model = try await work { self.report($0) }
        end(.success(model))
      } catch {
        end(.failure(error))
      }
    }
  }

  /// Tells everybody, unless it would be a step back. The end is told by `end` alone.
  private func report(_ progress: ModelProgress) {
    let waiters = state.withLock { state -> [Waiter] in
      guard state.isOpen, progress.fraction < 1, progress.fraction >= state.last.fraction else {
        return []
      }
      state.last = progress
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.report(progress) }
  }

  func end(_ result: Result<StoredModel, any Error>) {
    let (waiters, task, received) = state.withLock { state in
      state.isOpen = false
      defer { state.waiters = [:] }
      return (Array(state.waiters.values), state.task, state.last.receivedBytes)
    }
    task?.cancel()
    for waiter in waiters {
      if case .success(let model) = result {
        waiter.report(
          ModelProgress(
            fraction: 1, bytesPerSecond: 0, receivedBytes: max(received, model.byteCount),
            totalBytes: model.byteCount))
      }
      waiter.continuation.resume(with: result)
    }
  }

  /// One caller was cancelled. The last one takes the download with it.
  private func leave(_ number: Int) {
    let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      let waiter = state.waiters.removeValue(forKey: number)
      if waiter == nil { state.cancelled.insert(number) }
      guard state.waiters.isEmpty, waiter != nil else { return (waiter, nil) }
      state.isOpen = false
      return (waiter, state.task)
    }
    task?.cancel()
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
