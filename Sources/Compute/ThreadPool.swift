import Foundation
import Synchronization

/// A fixed team of threads that run one body together ("single program, multiple data").
///
/// `run()` makes every member execute the body with its index; members meet at the team's
/// `barrier()`. The caller is member 0. Waiting members spin briefly, then yield, and between runs they park, so an
/// idle pool takes no CPU. Work is split statically by the bodies themselves, which keeps results
/// independent of timing. Not thread-safe: one `run()` at a time.
public final class ThreadPool: Sendable {
  public let count: Int

  private let team: Team
  private let threads: [pthread_t]

  /// - Parameter body: what each member does in a run.
  public init(
    count: Int, body: @escaping @Sendable (_ team: Team, _ member: Int) -> Void
  ) throws(ComputeError) {
    self.count = max(1, count)
    team = Team(count: self.count, body: body)
    var started: [pthread_t] = []
    for member in 1..<max(1, self.count) {
      guard let thread = team.start(member: member) else {
        team.stop(joining: started)
        throw .threadsUnavailable(code: errno)
      }
      started.append(thread)
    }
    threads = started
  }

  deinit { team.stop(joining: threads) }

  /// Runs the body on every member and returns when all are done.
  public func run() { team.run() }

  /// Members asleep at the moment.
  var parkedMembers: Int { team.parkedMembers }
}

/// The part of the pool that its threads hold on to, so that they never keep the pool alive.
public final class Team: Sendable {
  public let count: Int
  private let body: @Sendable (Team, Int) -> Void
  /// Number of the current run; members compare it with the last one they took part in.
  private let generation = Atomic<Int>(0)
  private let arrived = Atomic<Int>(0)
  private let phase = Atomic<Int>(0)
  private let stopping = Atomic<Bool>(false)
  private let parked: ParkingLot

  /// Turns of the waiting loop before a member yields its core, and before it parks.
  private static let spins = 4_000
  private static let yields = 200

  fileprivate var parkedMembers: Int { parked.sleeping }

  fileprivate init(count: Int, body: @escaping @Sendable (Team, Int) -> Void) {
    self.count = count
    self.body = body
    parked = ParkingLot()
  }

  fileprivate func run() {
    guard count > 1 else { return body(self, 0) }
    generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
    parked.wakeAll()
    body(self, 0)
    barrier()
  }

  /// Waits until every member of the current run has come here.
  public func barrier() {
    guard count > 1 else { return }
    let current = phase.load(ordering: .relaxed)
    if arrived.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count {
      arrived.store(0, ordering: .relaxed)
      phase.store(current &+ 1, ordering: .releasing)
      return
    }
    var turn = 0
    while phase.load(ordering: .acquiring) == current {
      turn &+= 1
      if turn > Self.spins { sched_yield() }
    }
  }

  fileprivate func start(member: Int) -> pthread_t? {
    let start = Unmanaged.passRetained(Start(team: self, member: member))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, threadMain, start.toOpaque())
    guard code == 0 else {
      start.release()
      return nil
    }
    return thread
  }

  fileprivate func work(_ member: Int) {
    var seen = 0
    while true {
      var turn = 0
      while generation.load(ordering: .acquiring) == seen, !stopping.load(ordering: .relaxed) {
        turn &+= 1
        if turn > Self.spins + Self.yields {
          parked.park {
            self.generation.load(ordering: .sequentiallyConsistent) == seen
              && !self.stopping.load(ordering: .sequentiallyConsistent)
          }
        } else if turn > Self.spins {
          sched_yield()
        }
      }
      if stopping.load(ordering: .acquiring) { return }
      seen &+= 1
      body(self, member)
      barrier()
    }
  }

  fileprivate func stop(joining threads: [pthread_t]) {
    stopping.store(true, ordering: .sequentiallyConsistent)
    parked.wakeAll()
    for thread in threads { pthread_join(thread, nil) }
  }
}

private final class Start {
  let team: Team
  let member: Int
  init(team: Team, member: Int) {
    self.team = team
    self.member = member
  }
}

#if canImport(Darwin)
  private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    start.team.work(start.member)
    return nil
  }
#else
  private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    start.team.work(start.member)
    return nil
  }
#endif
