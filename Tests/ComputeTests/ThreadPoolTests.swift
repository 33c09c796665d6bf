import Foundation
import Synchronization
import Testing

@testable import Compute

@Suite("Thread pool")
struct ThreadPoolTests {
  @Test("every member runs once per run", arguments: [1, 2, 3, 8])
  func everyMemberRuns(count: Int) throws {
    let calls = (0..<count).map { _ in Counter() }
    let pool = try ThreadPool(count: count) { _, member in calls[member].increment() }
    for _ in 0..<200 { pool.run() }
    #expect(calls.allSatisfy { $0.value == 200 })
  }

  @Test("a barrier lets nobody pass before all have come", arguments: [2, 3, 5])
  func barriers(count: Int) throws {
    let arrived = Counter()
    let early = Counter()
    let pool = try ThreadPool(count: count) { team, _ in
      for round in 1...50 {
        arrived.increment()
        team.barrier()
        if arrived.value < round * count { early.increment() }
        team.barrier()
      }
    }
    for _ in 0..<5 {
      arrived.reset()
      pool.run()
    }
    #expect(early.value == 0)
  }

  @Test("members wake up again after they parked")
  func parking() throws {
    let calls = Counter()
    let pool = try ThreadPool(count: 2) { _, _ in calls.increment() }
    for round in 1...3 {
      Thread.sleep(forTimeInterval: 0.05)
      pool.run()
      #expect(calls.value == 2 * round)
    }
  }

  @Test("idle members sleep instead of spinning")
  func idle() throws {
    let pool = try ThreadPool(count: 3) { _, _ in }
    pool.run()
    for _ in 0..<100 where pool.parkedMembers < 2 { Thread.sleep(forTimeInterval: 0.02) }
    #expect(pool.parkedMembers == 2)
  }

  @Test("pools come and go without leaking threads")
  func lifetime() throws {
    for _ in 0..<200 {
      let pool = try ThreadPool(count: 3) { _, _ in }
      pool.run()
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func increment() { count.add(1, ordering: .sequentiallyConsistent) }
  func reset() { count.store(0, ordering: .sequentiallyConsistent) }
}
