import Foundation
import Testing

@testable import Persistence

@Suite struct AtomicFileTests {
  private func write(_ text: String, to path: String) throws {
    try Array(text.utf8).withUnsafeBytes { try AtomicFile.write([$0, $0], to: path) }
  }

  private func temporaryName(_ digit: String) -> String {
    ".leap-" + String(repeating: digit, count: 32) + ".partial"
  }

  @Test func theFileIsReplacedAsAWhole() throws {
    let folder = try TemporaryFolder()
    try write("one", to: folder.file("a"))
    try write("two", to: folder.file("a"))
    #expect(try String(contentsOfFile: folder.file("a"), encoding: .utf8) == "twotwo")
    #expect(folder.names == ["a"])
  }

  @Test func aFailureLeavesTheFileAndNoLeftovers() throws {
    let folder = try TemporaryFolder()
    try write("one", to: folder.file("a"))
    // A folder cannot be replaced by a file.
    try FileManager.default.createDirectory(
      atPath: folder.file("b"), withIntermediateDirectories: false)
    #expect(throws: SnapshotError.self) { try write("two", to: folder.file("b")) }
    #expect(throws: SnapshotError.system(operation: "create", code: ENOENT)) {
      try write("two", to: folder.file("absent/c"))
    }
    #expect(folder.names == ["a", "b"])
  }

  @Test func pathsOfAnyLengthAreTakenApart() {
    for (path, folder) in [
      ("", ""), ("a", ""), ("/", "/"), ("/a", "/"), ("a/b", "a"), ("/a/b", "/a"), ("é/😀", "é"),
    ] {
      #expect(FilePath.folder(of: path) == folder)
    }
    #expect(FilePath.file("b", in: "") == "b")
    #expect(FilePath.file("b", in: "/") == "/b")
    #expect(FilePath.file("b", in: "a") == "a/b")
  }

  @Test func onlyAbandonedTemporaryFilesAreRemoved() throws {
    let folder = try TemporaryFolder()
    let kept = [
      "notes.txt", ".leap-notes.partial", temporaryName("g"), temporaryName("A"),
      temporaryName("a") + "x", "x" + temporaryName("a"),
    ]
    for name in kept { try write("mine", to: folder.file(name)) }
    try write("left by a killed process", to: folder.file(temporaryName("a")))
    // Another process still writes this one.
    try write("being written", to: folder.file(temporaryName("b")))
    let writer = open(folder.file(temporaryName("b")), O_WRONLY)
    #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
    symlink(folder.file("notes.txt"), folder.file(temporaryName("c")))
    try FileManager.default.createDirectory(
      atPath: folder.file(temporaryName("d")), withIntermediateDirectories: false)

    AtomicFile.removeLeftovers(in: folder.path)
    let expected = kept + ["b", "c", "d"].map(temporaryName)
    #expect(folder.names == expected.sorted())
    close(writer)
    AtomicFile.removeLeftovers(in: folder.path)
    #expect(folder.names == expected.filter { $0 != temporaryName("b") }.sorted())
    AtomicFile.removeLeftovers(in: folder.file("absent"))
  }
}
