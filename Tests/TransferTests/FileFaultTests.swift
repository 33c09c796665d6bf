import FaultServer
import Foundation
import Persistence
import Testing

@testable import Transfer

/// Folders and names that cannot be written (X11), and announcements that fit on no disk.
@Suite struct FileFaultTests {
  private func problem(at destination: URL, _ bench: Workbench) async throws -> TransferError? {
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    do {
      _ = try await bench.transfer.fetch(
        TransferRequest(url: server.url.appendingPathComponent("x"), destination: destination))
      return nil
    } catch let error as TransferError { return error }
  }

  @Test func whatCannotBeWrittenIsNamed() async throws {
    let bench = try Workbench()
    let folder = bench.folder.appendingPathComponent("folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let loop = bench.folder.appendingPathComponent("loop")
    try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
    try Data().write(to: bench.folder.appendingPathComponent("file"))
    for destination in [
      folder, bench.folder.appendingPathComponent("absent/model.gguf"),
      bench.folder.appendingPathComponent("file/model.gguf"),
      loop.appendingPathComponent("model.gguf"),
      // With `.part` behind it, it is longer than a name may be.
      bench.folder.appendingPathComponent(String(repeating: "n", count: 255)),
    ] {
      guard case .file(_, let path, _)? = try await problem(at: destination, bench) else {
        Issue.record("\(destination.lastPathComponent) was written")
        continue
      }
      #expect(path.hasPrefix(destination.path))
    }
  }

  @Test(arguments: ["模型 ö 🙂.gguf", String(repeating: "n", count: 240)])
  func unusualNamesWork(_ name: String) async throws {
    let bench = try Workbench(name: name)
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    try await bench.fetch(server)
    #expect(bench.content == Workbench.data)
    #expect(bench.names.count == 1)
  }

  @Test func aPartThatIsALinkIsNotFollowed() async throws {
    let bench = try Workbench()
    let other = bench.folder.appendingPathComponent("other")
    try Data("precious".utf8).write(to: other)
    try FileManager.default.createSymbolicLink(at: bench.part, withDestinationURL: other)
    #expect(try await problem(at: bench.destination, bench) != nil)
    #expect(try Data(contentsOf: other) == Data("precious".utf8))
  }

  @Test func aPartThatIsNoFileIsNamed() async throws {
    let bench = try Workbench()
    try #require(mkfifo(bench.part.path, 0o600) == 0)
    guard case .file(_, bench.part.path, EEXIST)? = try await problem(at: bench.destination, bench)
    else {
      Issue.record("a pipe was taken")
      return
    }
  }

  @Test func aFileThatIsRefusedIsRemoved() async throws {
    struct Refusal: Error {}
    let bench = try Workbench()
    let server = try FaultServer { .file(Workbench.data, for: $0) }
    var request = bench.request(server)
    request.check = { path in
      #expect(path.hasSuffix(".part"))
      throw Refusal()
    }
    let refused = request
    await #expect(throws: Refusal.self) { _ = try await bench.transfer.fetch(refused) }
    #expect(bench.names.isEmpty)
  }

  @Test func moreThanTheDiskHoldsIsRefusedBeforeAByteIsWritten() async throws {
    let bench = try Workbench()
    let server = try FaultServer { request in
      .file(Workbench.data, for: request).with {
        $0.headers.append(("Content-Length", "1000000000000000"))
      }
    }
    guard
      case TransferError.insufficientSpace(1_000_000_000_000_000, let free, _)? =
        await bench.problem(server)
    else {
      Issue.record("not refused")
      return
    }
    #expect(free > 0 && bench.partBytes == 0)
    #expect(server.requests.count == 1)
  }
}
