import Synchronization

/// A submitted generation. Thread-safe.
public final class GenerationTask: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Ends the generation after at most one more token or prefill step.
  public func stop() { flag.store(true, ordering: .relaxed) }

  public var isStopped: Bool { flag.load(ordering: .relaxed) }
}
