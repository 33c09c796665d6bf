import Synchronization

/// A handle on one generation, by which it is stopped. Thread-safe.
public final class GenerationTask: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  /// Ends the generation after at most one more token or prefill step.
  public func stop() { flag.store(true, ordering: .relaxed) }

  public var isStopped: Bool { flag.load(ordering: .relaxed) }
}
