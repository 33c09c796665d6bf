import Foundation
import Models

/// Runs generations on a loaded model, one after another, on a thread of its own. Thread-safe.
public final class ModelHost: Sendable {
  public let model: LoadedModel
  /// The kernels and the number of threads that compute.
  public let kernelName: String
  public let threadCount: Int

  let thread: SerialThread<Engine>
  private let store: PrefixStore?
  private let shutdown = GenerationTask()

  public init(_ model: LoadedModel) throws(LoadError) {
    self.model = model
    let store = model.options.prefixCache.map { options in
      PrefixStore(options) { () throws(ModelError) in try model.snapshotRequirements() }
    }
    self.store = store
    let facts = Locked(("", 0))
    do throws(ModelError) {
      thread = try SerialThread(name: "leap.generation") { () throws(ModelError) in
        let engine = try Engine(model, store: store)
        facts.withLock {
          $0 = (engine.evaluator.kernels.rawValue, engine.evaluator.threadCount)
        }
        return engine
      }
    } catch { throw .model(path: model.path, error) }
    (kernelName, threadCount) = facts.withLock { $0 }
  }

  deinit { shutdown.stop() }

  /// Whether `shutDown` was called.
  var isShuttingDown: Bool { shutdown.isStopped }

  /// Queues a generation. Events and the completion, which comes last, are called on the host's
  /// thread, which computes nothing while they run.
  ///
  /// - Parameter task: stops the generation, queued or running.
  @discardableResult
  public func submit(
    _ request: GenerationRequest, task: GenerationTask = GenerationTask(),
    onEvent: @escaping @Sendable (GenerationEvent) -> Void = { _ in },
    completion: @escaping @Sendable (Result<GenerationResult, GenerationError>) -> Void
  ) -> GenerationTask {
    let shutdown = shutdown
    let isQueued = thread.submit { engine in
      let result = Result { () throws(GenerationError) in
        let result = try engine.run(request, onEvent: onEvent) {
          !task.isStopped && !shutdown.isStopped
        }
        if shutdown.isStopped, result.finishReason == .stopped { throw GenerationError.unloaded }
        return result
      }
      completion(result)
      if case .success = result { engine.keepState(of: request) }
    }
    if !isQueued { completion(.failure(.unloaded)) }
    return task
  }

  /// Generates and waits for the end. Blocks the calling thread: not for the cooperative pool or
  /// the main thread of an app.
  public func generate(
    _ request: GenerationRequest, task: GenerationTask = GenerationTask(),
    onEvent: @escaping @Sendable (GenerationEvent) -> Void = { _ in }
  ) throws(GenerationError) -> GenerationResult {
    let end = Locked<Result<GenerationResult, GenerationError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    submit(request, task: task, onEvent: onEvent) { result in
      end.withLock { $0 = result }
      isDone.signal()
    }
    isDone.wait()
    guard let result = end.withLock({ $0 }) else { throw .unloaded }
    return try result.get()
  }

  /// Why states could not be kept in the cache folder or read from it, each reason once.
  public var cacheWarnings: [String] { store?.warnings ?? [] }

  /// Waits until the states of all generations so far are in the cache folder. Blocks the calling
  /// thread: not for the cooperative pool or the main thread of an app.
  public func flushCache() {
    guard let store else { return }
    let isKept = DispatchSemaphore(value: 0)
    guard thread.submit({ _ in isKept.signal() }) else { return }
    isKept.wait()
    store.flush()
  }

  /// Stops what runs and what is queued, which then fails with `unloaded`, and frees the engine.
  /// Returns when the cache folder is up to date as well.
  public func shutDown() async {
    shutdown.stop()
    await withCheckedContinuation { continuation in
      thread.close { continuation.resume() }
    }
    await store?.close()
  }
}
