import FaultServer
import Foundation
import Persistence
import Synchronization
import Testing

@testable import Transfer

/// What concerns a whole process: its limits, environment, user and memory. Each test is a process of
/// its own; one at a time, as each one's end is waited for on a thread that other tests need.
@Suite(.serialized) struct ProcessTests {
  /// X4: the limit on the size of files is the full disk that every machine has.
  @Test(.timeLimit(.minutes(1))) func aFullDiskKeepsThePart() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      func limit(_ bytes: Int) {
        var value = rlimit()
        getrlimit(rlimitOfFileSize, &value)
        value.rlim_cur = min(rlim_t(bytes), value.rlim_max)
        setrlimit(rlimitOfFileSize, &value)
      }
      for bytes in [1, 2_000, 100_001, 198_003, 200_002] {
        let bench = try Workbench()
        let server = try FaultServer { .file(Workbench.data, for: $0) }
        // Room for what is written beside the part.
        limit(bytes)
        let error = await bench.problem(server, sha256: Workbench.digest)
        limit(1 << 40)
        guard case TransferError.insufficientSpace(let needed, let free, let path)? = error else {
          Issue.record("\(bytes) bytes: \(String(describing: error))")
          continue
        }
        #expect(needed > 0 && free >= 0 && path == bench.destination.path)
        #expect(server.requests.count == 1)
        #expect(bench.partBytes == bytes && bench.content == nil)
        try await bench.fetch(server, sha256: Workbench.digest)
        #expect(bench.content == Workbench.data && bench.names == ["model.gguf"])
        #expect(server.requests.last?.rangeStart == bytes)
      }
    }
  }

  @Test(.timeLimit(.minutes(1))) func aFolderThatMayNotBeWrittenIsNamed() async {
    await #expect(processExitsWith: .success) {
      let bench = try Workbench()
      let server = try FaultServer { .file(Workbench.data, for: $0) }
      try #require(chmod(bench.folder.path, 0o555) == 0)
      // Permissions do not stop the superuser.
      if geteuid() == 0 { try #require(setuid(65_534) == 0) }
      let error = await bench.problem(server)
      guard case TransferError.file(_, let path, EACCES)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(path.hasPrefix(bench.destination.path) && server.requests.isEmpty)
      if getuid() != 65_534 { chmod(bench.folder.path, 0o755) }
    }
  }

  /// The C library's own client code reads these variables for every request.
  @Test(.timeLimit(.minutes(1))) func proxiesAreUsedUnlessTheHostIsExcepted() async {
    await #expect(processExitsWith: .success) {
      let proxy = try FaultServer { .file(Workbench.data, for: $0) }
      let server = try FaultServer { .file(Workbench.data, for: $0) }
      func fetch() async throws {
        let bench = try Workbench(retries: 0)
        try await bench.fetch(server)
        #expect(bench.content == Workbench.data)
      }
      unsetenv("no_proxy")
      unsetenv("NO_PROXY")
      for (index, name) in ["http_proxy", "all_proxy"].enumerated() {
        setenv(name, proxy.url.absoluteString, 1)
        try await fetch()
        unsetenv(name)
        #expect(proxy.requests.count == index + 1 && server.requests.isEmpty)
        #expect(proxy.requests.last?.path == "\(server.url)/model.gguf")
      }
      setenv("http_proxy", proxy.url.absoluteString, 1)
      setenv("no_proxy", "127.0.0.1", 1)
      try await fetch()
      #expect(server.requests.count == 1 && proxy.requests.count == 2)
    }
  }

  #if os(Linux)
    /// A disk slower than the network: what waits in memory stays little.
    @Test(.timeLimit(.minutes(2))) func memoryStaysBoundedWhereTheDiskIsSlow() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        func memory(_ name: String) throws -> Int {
          let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
          let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
          return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
        let size = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == nil ? 64 : 1000
        // Zeros that are never written to take no memory themselves.
        let data = Data(count: size << 20)
        let bench = try Workbench(stall: .seconds(20))
        let server = try FaultServer { .file(data, for: $0) }
        let written = Atomic<Int64>(0)
        let before = try memory("VmRSS")
        let file = try await bench.transfer.fetch(bench.request(server)) { progress in
          // Called between two pieces, so this is a disk of 50 MB/s.
          let news =
            progress.receivedBytes - written.exchange(progress.receivedBytes, ordering: .relaxed)
          if news > 0 { usleep(useconds_t(news / 50)) }
        }
        let peak = try memory("VmHWM")
        print(
          "\(size) MiB over a slow disk: \(server.requests.count) requests, memory grew by",
          "\((peak - before) >> 10) MiB")
        #expect(file.byteCount == data.count)
        #expect(peak - before < 40 << 10)
        #expect(server.requests.count == 1)
        // The session's thread is held back; a cancellation gets through all the same.
        let second = try Workbench()
        let task = Task {
          try await second.transfer.fetch(second.request(server)) { _ in usleep(20_000) }
        }
        try await wait { second.partBytes > 1 << 20 }
        let start = ContinuousClock.now
        task.cancel()
        _ = await task.result
        try await wait { server.openConnections == 0 }
        #expect(start.duration(to: .now) < .seconds(1))
      }
      // A child's own output is not shown.
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
  #endif
}

#if canImport(Glibc)
  private let rlimitOfFileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let rlimitOfFileSize = RLIMIT_FSIZE
#endif
