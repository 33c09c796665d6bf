import Foundation
import Testing

@testable import Generation

@Suite struct SerialThreadTests {
  private struct Refused: Error {}

  @Test func jobsRunInOrderOnOneState() async throws {
    let thread = SerialThread<[Int]>(name: "test") { [] }
    for number in 0..<1_000 { #expect(thread.submit { $0.append(number) }) }
    let result = await withCheckedContinuation { continuation in
      _ = thread.submit { continuation.resume(returning: $0) }
    }
    #expect(result == Array(0..<1_000))
  }

  @Test func aStateThatCannotBeMadeThrows() {
    #expect(throws: Refused.self) {
      _ = try SerialThread<Int>(name: "test") { () throws(Refused) in throw Refused() }
    }
  }

  @Test func closingRunsWhatIsQueuedAndTakesNoMore() async {
    let count = Locked(0)
    let thread = SerialThread<Void>(name: "test") {}
    for _ in 0..<10 {
      _ = thread.submit { _ in count.withLock { $0 += 1 } }
    }
    await withCheckedContinuation { continuation in
      thread.close { continuation.resume() }
    }
    #expect(count.withLock { $0 } == 10)
    #expect(!thread.submit { _ in })
    // Closing again still reports.
    await withCheckedContinuation { continuation in
      thread.close { continuation.resume() }
    }
  }

  @Test func theStateIsFreedBeforeClosingIsReported() async {
    final class Probe: Sendable {}
    let held = Locked<Weak<Probe>?>(nil)
    let thread = SerialThread<Probe>(name: "test") {
      let probe = Probe()
      held.withLock { $0 = Weak(value: probe) }
      return probe
    }
    await withCheckedContinuation { continuation in
      thread.close { continuation.resume() }
    }
    #expect(held.withLock { $0?.value } == nil)
  }

  private struct Weak<Value: AnyObject & Sendable>: Sendable {
    weak var value: Value?
  }
}
