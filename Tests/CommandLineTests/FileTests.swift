import Foundation
import Testing

@testable import CommandLineSupport

/// A folder of its own for one test, removed afterwards.
final class TemporaryFolder {
  let path: String
  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let path = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}

@Suite struct FileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func readsBytesAndText() throws {
    let path = try folder.file("a", "Größe 🙂".utf8)
    #expect(try InputFile.text(path) == "Größe 🙂")
    #expect(try InputFile.bytes(path).count == 12)
  }

  @Test func namesWhatIsWrong() throws {
    let missing = folder.path + "/missing"
    #expect(throws: FileError.notFound(path: missing)) { try InputFile.bytes(missing) }
    #expect(throws: FileError.isFolder(path: folder.path)) { try InputFile.bytes(folder.path) }
    let large = try folder.file("large", [UInt8](repeating: 65, count: 100))
    #expect(throws: FileError.tooLarge(path: large, limit: 99)) {
      try InputFile.bytes(large, limit: 99)
    }
    let notText = try folder.file("latin1", [0x61, 0xC3, 0xA9, 0xE9, 0x62])
    #expect(throws: FileError.notText(path: notText, offset: 3)) { try InputFile.text(notText) }
  }

  @Test func refusesEndlessInput() {
    #expect(throws: FileError.tooLarge(path: "/dev/zero", limit: 1000)) {
      try InputFile.bytes("/dev/zero", limit: 1000)
    }
  }

  @Test func replacesAFileWholeOrNotAtAll() throws {
    let path = try folder.file("out", "old".utf8)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try OutputFile.replace(path) { temporary in
        try Data("half".utf8).write(to: URL(fileURLWithPath: temporary))
        throw Stop()
      }
    }
    #expect(try InputFile.text(path) == "old")
    try OutputFile.write(Array("new".utf8), to: path)
    #expect(try InputFile.text(path) == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test func refusesToWriteOverAFolder() {
    #expect(throws: FileError.isFolder(path: folder.path)) {
      try OutputFile.write([1], to: folder.path)
    }
    let nowhere = folder.path + "/no/such/file"
    #expect(throws: FileError.notFound(path: nowhere)) { try OutputFile.write([1], to: nowhere) }
  }

  @Test func writesToDevicesInPlace() throws {
    try OutputFile.write([1, 2, 3], to: "/dev/null")
    #expect(!FileManager.default.fileExists(atPath: "/dev/null.\(getpid()).partial"))
  }

  @Test func reportsAFullDisk() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    #expect(throws: FileError.system(path: "/dev/full", errno: ENOSPC)) {
      try OutputFile.write([1], to: "/dev/full")
    }
  }

  @Test func readsLinesOfAnyKind() throws {
    let path = try folder.file("lines", Array("one\r\n\ntwo".utf8) + [0xFF])
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var reader = LineReader(descriptor: descriptor)
    #expect(reader.next() == .line("one"))
    #expect(reader.next() == .line(""))
    #expect(reader.next() == .line("two\u{FFFD}"))
    #expect(reader.next() == .end)
    #expect(reader.next() == .end)
  }

  @Test func reportsAClosedPipe() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let output = Output(descriptor: ends[1])
    try output.write("text")
    #expect(throws: OutputError.closed) { try output.flush() }
  }
}

@Suite struct BundledModelTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func searchesUpwardsInOrder() throws {
    let first = folder.path + "/first/.build/release"
    let second = folder.path + "/second/a/b"
    for path in [first, second, folder.path + "/second/Fixtures/tiny-chat/gguf"] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    }
    let model = folder.path + "/second/" + BundledModel.relativePath
    try Data().write(to: URL(fileURLWithPath: model))
    let found = BundledModel.locate(environment: ["LEAP_MODEL": ""], folders: [first, second])
    #expect(found?.path == model)
    #expect(found?.isFromEnvironment == false)
    #expect(BundledModel.locate(environment: [:], folders: [first]) == nil)
  }

  @Test func prefersTheEnvironment() {
    let found = BundledModel.locate(environment: ["LEAP_MODEL": "x.gguf"], folders: ["/"])
    #expect(found == BundledModel(path: "x.gguf", isFromEnvironment: true))
  }
}
