import FaultServer
import Foundation
import Persistence
import Testing

@testable import Transfer

/// A part file that somebody else works on. A lock belongs to an open file, so a second one in the
/// same process is like another process.
@Suite struct SharingTests {
  /// Holds the part file as another process would.
  private final class Holder {
    let descriptor: Int32

    init(_ bench: Workbench, bytes: Int) throws {
      try Workbench.data.prefix(bytes).write(to: bench.part)
      descriptor = open(bench.part.path, O_RDWR | O_CLOEXEC)
      try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    }

    func release() { flock(descriptor, LOCK_UN) }
    deinit { close(descriptor) }
  }

  @Test func aFileThatSomebodyElseFinishesIsTaken() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    let holder = try Holder(bench, bytes: 1234)
    let task = Task { try await bench.fetch(server, sha256: Workbench.digest) }
    // How far the other one is can be seen meanwhile.
    try await wait { bench.reports.withLock { $0.contains { $0.receivedBytes == 1234 } } }
    try Workbench.data.write(to: bench.part)
    try #require(rename(bench.part.path, bench.destination.path) == 0)
    holder.release()
    #expect(try await task.value.byteCount == 200_003)
    #expect(server.requests.isEmpty)
    #expect(bench.content == Workbench.data && bench.names == ["model.gguf"])
  }

  @Test func whatSomebodyElseLeavesIsContinued() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    let holder = try Holder(bench, bytes: 70_000)
    let task = Task { try await bench.fetch(server, sha256: Workbench.digest) }
    try await wait { bench.reports.withLock { !$0.isEmpty } }
    holder.release()
    _ = try await task.value
    #expect(server.requests.map(\.rangeStart) == [70_000])
    #expect(bench.content == Workbench.data)
  }

  @Test func waitingCanBeCancelled() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    let holder = try Holder(bench, bytes: 5)
    let task = Task { try await bench.fetch(server) }
    try await wait { bench.reports.withLock { !$0.isEmpty } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty && bench.partBytes == 5)
    holder.release()
  }

  @Test func ofManyTasksOneFetches() async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with {
        $0.bytesPerSecond = 2_000_000
        if request.number == 0 { $0.cutAfter = 50_000 }
      }
    }
    try await withThrowingTaskGroup(of: TransferredFile.self) { group in
      for _ in 0..<8 { group.addTask { try await bench.fetch(server) } }
      // One of them, perhaps the one that fetches, gives up.
      group.addTask {
        let task = Task { try await bench.fetch(server) }
        try await Task.sleep(for: .milliseconds(30))
        task.cancel()
        return (try? await task.value) ?? TransferredFile(byteCount: 200_003, sha256: nil)
      }
      for try await file in group { #expect(file.byteCount == 200_003) }
    }
    #expect(bench.content == Workbench.data && bench.names == ["model.gguf"])
    #expect(server.requests.count <= 3)
  }

  @Test func d09CancellingWhileTheDigestIsTaken() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    let size: Int64 = 1 << 34
    try Data().write(to: bench.part)
    try #require(truncate(bench.part.path, off_t(size)) == 0)
    let task = Task { try await bench.fetch(server, size: size, sha256: Workbench.digest) }
    // The part is opened and being read by then.
    try await Task.sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(start.duration(to: .now) < .seconds(1))
    #expect(PartFile.byteCount(for: bench.destination.path) == size && server.requests.isEmpty)
  }

  @Test func d10AResumedTransferStartsItsProgressWhereItIs() async throws {
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    try bench.plant(Workbench.data.prefix(180_000), of: server)
    try await bench.fetch(server)
    let received = bench.reports.withLock { $0.map(\.receivedBytes) }
    #expect(received.first == 180_000 && received.last == 200_003)
    #expect(received == received.sorted())
    #expect(bench.isProgressOrderly)
  }
}
