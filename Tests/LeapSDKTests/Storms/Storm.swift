import Dispatch
import Foundation
import Generation

@testable import LeapSDK

/// What the storms share: how many rounds, a watchdog, and figures of the process.
enum Storm {
  static let isLong = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1"

  /// Few rounds by default, many with `LEAP_LONG_TESTS=1`.
  static func rounds(_ few: Int, _ many: Int) -> Int { isLong ? many : few }

  /// Runs rounds; ends the process with a message if one of them takes longer than `limit` seconds.
  /// Returns by how much the memory in use grew from the first tenth of the rounds to the end.
  @discardableResult
  static func run(
    _ name: String, rounds: Int, limit: Int = 60, _ round: (Int) async throws -> Void
  ) async rethrows -> Int {
    let finished = Locked(0)
    let timer = DispatchSource.makeTimerSource()
    let seen = Locked(-1)
    timer.schedule(deadline: .now() + .seconds(limit), repeating: .seconds(limit))
    timer.setEventHandler {
      let now = finished.withLock { $0 }
      if seen.withLock({ last in last == now }) { fatalError("\(name) hangs in round \(now)") }
      seen.withLock { $0 = now }
    }
    timer.resume()
    defer { timer.cancel() }
    var base = 0
    for number in 0..<rounds {
      try await round(number)
      finished.withLock { $0 += 1 }
      if number == rounds / 10 { base = residentBytes }
    }
    let growth = residentBytes - base
    if isLong { print("\(name): \(rounds) rounds, memory grew by \(growth / 1024) KiB") }
    return growth
  }

  /// Most bytes by which the memory may grow: 1 MiB in 1,000 rounds. A few rounds tell nothing.
  static func allowedGrowth(rounds: Int) -> Int {
    isLong ? (rounds / 1_000) << 20 : .max
  }

  /// Memory in use by the process, in bytes; 0 where the system does not tell.
  static var residentBytes: Int {
    FreedMemory.giveBack()
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  /// Processor time of the whole process, in seconds.
  static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func pause(upTo milliseconds: Double) async {
    try? await Task.sleep(for: .microseconds(Int.random(in: 0...Int(milliseconds * 1_000))))
  }
}

/// Whether events come in a legal order: chunks, then at most one list of calls, then one complete.
struct EventOrder {
  private enum Place { case chunks, calls, complete }
  private var place = Place.chunks
  private(set) var isLegal = true

  var isComplete: Bool { place == .complete }

  mutating func add(_ response: MessageResponse) {
    switch (response, place) {
    case (.chunk, .chunks), (.reasoningChunk, .chunks), (.audioSample, .chunks): break
    case (.functionCall, .chunks): place = .calls
    case (.complete, .chunks), (.complete, .calls): place = .complete
    default: isLegal = false
    }
  }
}
