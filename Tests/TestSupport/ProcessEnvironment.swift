import Foundation
import Synchronization

/// The environment of this process. All tests share it, so one at a time may change it: in between,
/// another one's requests would go to the wrong server, or to a real one.
public enum ProcessEnvironment {
  private static let turns = Turns()

  /// Sets variables for the time of a call; others wait for its end.
  public nonisolated(nonsending) static func with<Result>(
    _ variables: [String: String], _ body: () async throws -> Result
  ) async rethrows -> Result {
    await turns.take()
    let before = ProcessInfo.processInfo.environment
    for (name, value) in variables { setenv(name, value, 1) }
    defer {
      for name in variables.keys {
        if let value = before[name] { setenv(name, value, 1) } else { unsetenv(name) }
      }
      turns.end()
    }
    return try await body()
  }
}

/// Lets one task through at a time, in the order in which they came.
private final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
