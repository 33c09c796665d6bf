import Foundation

/// Where a session's calls happen, one after the other, and where tasks are cancelled.
// Unchecked as its superclass is; the condition guards what is added.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  private static let mostWaiting = 256

  private let condition = NSCondition()
  private var waiting = 0
  private var urgent = 0

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  #if canImport(FoundationNetworking)
    /// Holds the session's own thread while many calls wait, and with it the server, where the network
    /// is faster than the disk: Foundation would keep everything in memory.
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      condition.withLock {
        while waiting >= Self.mostWaiting, urgent == 0 { condition.wait() }
        waiting += 1
      }
      super.addOperation { [self] in
        block()
        condition.withLock {
          waiting -= 1
          condition.signal()
        }
      }
    }
  #endif

  /// Calls something before all that waits. It may wait for the session's own thread.
  func addUrgent(_ block: @escaping @Sendable () -> Void) {
    condition.withLock {
      urgent += 1
      condition.broadcast()
    }
    let operation = BlockOperation { [self] in
      block()
      condition.withLock { urgent -= 1 }
    }
    operation.queuePriority = .veryHigh
    addOperation(operation)
  }
}
