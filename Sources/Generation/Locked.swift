import Foundation

/// A value behind a lock. Built on Foundation's lock and not on `Mutex`, as the thread sanitizer
/// follows only the former.
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked: `value` is only touched while `lock` is held.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
  }

  package func withLock<Result>(
    _ body: (inout Value) throws -> sending Result
  ) rethrows -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
