import FaultServer
import Foundation
import Persistence
import Testing

@testable import Transfer

/// Connections that break, stall or crawl (X5), and what is kept.
@Suite struct InterruptionTests {
  private let data = Workbench.data

  @Test func aFileArrives() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    let file = try await bench.fetch(server)
    #expect(file.byteCount == 200_003 && file.sha256 == Workbench.digest)
    #expect(bench.content == data && bench.names == ["model.gguf"])
    #expect(bench.isProgressOrderly)
    // It is there: nothing is asked again.
    try await bench.fetch(server, size: 200_003, sha256: Workbench.digest)
    #expect(server.requests.count == 1)
  }

  @Test func cutsAtFiftyPlacesAreContinued() async throws {
    for round in 0..<50 {
      let bench = try Workbench()
      let offset = round * data.count / 50 + round % 3
      let server = try FaultServer { request in
        HTTPAnswer.file(Workbench.data, for: request).with {
          if request.number == 0 {
            $0.cutAfter = offset
            $0.resets = round % 2 == 1
          }
        }
      }
      try await bench.fetch(server, sha256: round % 4 == 0 ? Workbench.digest : nil)
      #expect(bench.content == data, "cut at \(offset)")
      #expect(bench.names == ["model.gguf"])
      #expect(server.requests.count == 2)
      // A reset may take bytes with it that were on their way.
      if round % 2 == 0, offset > 0 {
        #expect(server.requests.last?.rangeStart == offset)
        #expect(server.requests.last?.headers["if-range"] == "\"1\"")
      }
    }
  }

  @Test func aServerThatAlwaysCutsIsLeftInTheEndAndWhatCameIsKept() async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with { $0.cutAfter = request.number < 3 ? 1000 : 0 }
    }
    guard case TransferError.network? = await bench.problem(server) else {
      Issue.record("no network error")
      return
    }
    #expect(bench.partBytes == 3000)
    // Bytes that arrive start the count of retries anew.
    #expect(server.requests.count == 3 + 5)
    let good = try FaultServer { .file(Workbench.data, for: $0) }
    try await bench.fetch(good, sha256: Workbench.digest)
    #expect(bench.content == data)
    #expect(good.requests.map(\.rangeStart) == [3000])
  }

  @Test func aStallIsNoticedAndTheTransferGoesOn() async throws {
    let bench = try Workbench(stall: .milliseconds(400))
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with {
        if request.number == 0 { $0.stallAfter = 50_000 }
      }
    }
    let start = ContinuousClock.now
    try await bench.fetch(server)
    #expect(bench.content == data)
    #expect(start.duration(to: .now) < .seconds(5))
    #expect(server.requests.last?.rangeStart == 50_000)
  }

  @Test func aServerThatNeverAnswersHasStalled() async throws {
    let bench = try Workbench(stall: .milliseconds(400), retries: 1)
    let server = try FaultServer { _ in
      HTTPAnswer.raw("").with { $0.stallAfter = 0 }
    }
    // Nothing but an open connection.
    guard case TransferError.stalled? = await bench.problem(server) else {
      Issue.record("no stall")
      return
    }
    #expect(server.requests.count == 2)
  }

  @Test func slowIsNotStalled() async throws {
    let bench = try Workbench(stall: .seconds(1))
    let server = try FaultServer { request in
      .file(Workbench.data.prefix(1500), for: request).with { $0.bytesPerSecond = 1000 }
    }
    try await bench.fetch(server)
    #expect(bench.content == data.prefix(1500))
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [0.1, 0.5]) func d09CancellingClosesTheConnectionAndKeepsThePart(
    _ share: Double
  ) async throws {
    let bench = try Workbench(stall: .seconds(30))
    let place = Int(share * Double(data.count))
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with {
        if request.number == 0 { $0.stallAfter = place }
      }
    }
    let task = Task { try await bench.fetch(server) }
    try await wait { bench.partBytes == place }
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await wait { server.openConnections == 0 }
    print("the connection was closed \(start.duration(to: .now)) after the task was cancelled")
    #expect(start.duration(to: .now) < .seconds(1))
    #expect(bench.partBytes == place)
    try await bench.fetch(server)
    #expect(bench.content == data)
    #expect(server.requests.last?.rangeStart == place)
  }

  @Test func d09CancellingBeforeTheFirstByte() async throws {
    let bench = try Workbench(stall: .seconds(30))
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with { $0.stallAfter = 0 }
    }
    let task = Task { try await bench.fetch(server) }
    try await wait { server.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await wait { server.openConnections == 0 }
    let cancelled = Task {
      try await Task.sleep(for: .milliseconds(1))
      try await bench.fetch(server)
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
    #expect(server.requests.count == 1)
  }

  /// At whatever moment it comes: on the way, during a redirection, just when the file is complete,
  /// and with the whole client gone right after it.
  @Test func d09CancellingAtAnyMomentEndsInOrder() async throws {
    let isLong = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] != nil
    let body = data.prefix(30_000)
    let server = try FaultServer { request in
      request.path == "/blob"
        ? .file(Workbench.data.prefix(30_000), for: request) : .redirect("/blob")
    }
    var cancelled = 0
    let rounds = isLong ? 5_000 : 150
    for round in 0..<rounds {
      let bench = try Workbench()
      let task = Task { try await bench.fetch(server) }
      try await Task.sleep(for: .microseconds(round * 7_919 % 6_000))
      task.cancel()
      switch await task.result {
      case .success: #expect(bench.content == body)
      case .failure(let error):
        cancelled += 1
        #expect(error is CancellationError)
        #expect(bench.content == nil)
      }
    }
    try await wait { server.openConnections == 0 }
    print("\(cancelled) of \(rounds) transfers were cancelled, the rest were done")
  }

  @Test func twoTasksShareOneDownload() async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with { $0.bytesPerSecond = 1_000_000 }
    }
    async let first = bench.fetch(server)
    async let second = bench.fetch(server)
    let files = try await [first, second]
    #expect(files.allSatisfy { $0.byteCount == 200_003 })
    #expect(server.requests.count == 1)
    #expect(bench.content == data && bench.names == ["model.gguf"])
  }

  @Test func d02TheFinalNameIsNeverShort() async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with {
        $0.bytesPerSecond = 400_000
        if request.number == 0 { $0.cutAfter = 90_000 }
      }
    }
    let task = Task { try await bench.fetch(server) }
    var looks = 0
    while bench.content == nil, looks < 1000 {
      looks += 1
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(bench.content == data)
    #expect(looks > 3)
    _ = try await task.value
  }

  @Test func manyTransfersLeaveNoDescriptorsBehind() async throws {
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    #if os(Linux)
      let server = try FaultServer { request in
        .file(Workbench.data, for: request).with {
          if request.number % 2 == 0 { $0.cutAfter = 1000 }
        }
      }
      let bench = try Workbench()
      func round() async throws {
        try await bench.fetch(server)
        try FileManager.default.removeItem(at: bench.destination)
      }
      for _ in 0..<5 { try await round() }
      try await wait { server.openConnections == 0 }
      let before = try descriptors()
      for _ in 0..<60 { try await round() }
      try await wait { server.openConnections == 0 }
      let after = try descriptors()
      print("descriptors before and after 60 transfers: \(before), \(after)")
      #expect(after <= before + 3)
    #endif
  }
}

/// Waits until something is so, for at most ten seconds.
func wait(_ condition: () throws -> Bool) async throws {
  let start = ContinuousClock.now
  while try !condition() {
    guard start.duration(to: .now) < .seconds(10) else {
      Issue.record("waited in vain")
      return
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}
