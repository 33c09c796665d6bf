import Foundation
import GGUF
import Testing

@Suite struct GGUFOpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func problem(_ path: String, mode: GGUFFile.LoadMode = .mapped) -> GGUFError? {
    #expect(throws: GGUFError.self) { try GGUFFile(path: path, mode: mode) }
  }

  @Test func aMissingFileIsNamed() {
    let path = folder.path("missing.gguf")
    let error = problem(path)
    #expect(error == .cannotOpen(path: path, .doesNotExist))
    #expect(error?.description.contains("missing.gguf") == true)
    #expect(error?.errorDescription == error?.description)
    #expect(error?.localizedDescription == error?.description)
  }

  @Test func aFolderIsRefused() {
    #expect(problem(folder.url.path) == .cannotOpen(path: folder.url.path, .isDirectory))
  }

  @Test func aLinkToNothingIsRefused() throws {
    let path = folder.path("link.gguf")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("nothing"))
    #expect(problem(path) == .cannotOpen(path: path, .isDanglingLink))
  }

  @Test func aLinkLoopIsRefused() throws {
    let path = folder.path("loop.gguf")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    #expect(problem(path) == .cannotOpen(path: path, .systemFailure(code: ELOOP)))
  }

  @Test func aLinkToAModelOpens() throws {
    let model = try folder.write(RawGGUF.random(seed: 1).bytes(), to: "model.gguf")
    let path = folder.path("link.gguf")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: model)
    #expect(try GGUFFile(path: path).path == path)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func anUnreadableFileIsRefused() throws {
    let path = try folder.write(RawGGUF.random(seed: 1).bytes(), to: "secret.gguf")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(problem(path) == .cannotOpen(path: path, .isNotReadable))
  }

  @Test func aPipeIsRefusedWithoutWaiting() throws {
    let path = folder.path("pipe.gguf")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(problem(path) == .cannotOpen(path: path, .isNoRegularFile))
  }

  @Test func aDeviceIsRefused() {
    #expect(problem("/dev/zero") == .cannotOpen(path: "/dev/zero", .isNoRegularFile))
  }

  @Test(arguments: [GGUFFile.LoadMode.mapped, .inMemory])
  func whatIsNoGGUFIsShown(_ mode: GGUFFile.LoadMode) throws {
    let page = try folder.write(Array("<!doctype html>".utf8), to: "page.gguf")
    let pageError = problem(page, mode: mode)
    #expect(pageError == .notGGUF(firstBytes: Array("<!do".utf8)))
    #expect(pageError?.description.contains("'<!do'") == true)
    #expect(pageError?.description.contains("web page") == true)

    let json = try folder.write(Array(#"{"error":"no"}"#.utf8), to: "error.gguf")
    #expect(problem(json, mode: mode)?.description.contains("JSON") == true)
    let empty = try folder.write([], to: "empty.gguf")
    #expect(problem(empty, mode: mode) == .notGGUF(firstBytes: []))
    #expect(problem(empty, mode: mode)?.description.contains("empty") == true)
    let short = try folder.write(Array("GGU".utf8), to: "short.gguf")
    #expect(problem(short, mode: mode) == .notGGUF(firstBytes: Array("GGU".utf8)))
  }

  @Test func aPathOfUnicodeAndFullLengthOpens() throws {
    let name = String(repeating: "模", count: 83) + ".gguf"
    #expect(name.utf8.count == 254)
    let path = try folder.write(RawGGUF.random(seed: 1).bytes(), to: name)
    #expect(try GGUFFile(path: path).tensors.isEmpty == false)
  }

  @Test func aHugeKeyLengthInA32ByteFileIsNamed() {
    let bytes =
      Array("GGUF".utf8) + littleEndian(UInt32(3)) + littleEndian(UInt64(0))
      + littleEndian(UInt64(1)) + littleEndian(0x0000_FFFF_FFFF_FFFF as UInt64)
    #expect(bytes.count == 32)
    let error = #expect(throws: GGUFError.self) { try GGUFFile(bytes: bytes) }
    #expect(
      error
        == .truncated(
          .keyName(number: 1), offset: 24, needed: 0x0000_FFFF_FFFF_FFFF, remaining: 0))
    #expect(error?.description.contains("exceeds the remaining 0 bytes") == true)

    let oneByteLong = bytes.prefix(24) + littleEndian(UInt64(1))
    #expect(
      throws: GGUFError.truncated(.keyName(number: 1), offset: 24, needed: 1, remaining: 0)
    ) {
      try GGUFFile(bytes: Array(oneByteLong))
    }
  }

  @Test func aCutTensorIsNamedWithItsEndAndTheFileSize() throws {
    let bytes = RawGGUF.random(seed: 5).bytes()
    let whole = try GGUFFile(bytes: bytes)
    let last = try #require(whole.tensors.last)
    let end = last.fileOffset + last.byteCount
    let path = try folder.write(Array(bytes.prefix(end - 1)), to: "cut.gguf")
    let error = problem(path)
    #expect(error == .dataOutsideFile(tensor: last.name, end: end, fileByteCount: end - 1))
    #expect(error?.description.contains("'\(last.name)' ends at byte \(end)") == true)
    #expect(error?.description.contains("only \(end - 1) bytes") == true)
  }

  @Test func aShardSaysWhatToDo() {
    var file = RawGGUF.random(seed: 1)
    file.keys.append(.init("split.no", type: 2, value: [1, 0]))
    file.keys.append(.init("split.count", type: 2, value: [3, 0]))
    let error = #expect(throws: GGUFError.self) { try GGUFFile(bytes: file.bytes()) }
    #expect(error == .sharded(part: 2, count: 3))
    #expect(error?.description.contains("part 2 of 3") == true)
    #expect(error?.description.contains("NAME-00001-of-00003.gguf") == true)
  }

  @Test func anUnsupportedTensorTypeIsNamed() {
    var file = RawGGUF.random(seed: 1)
    file.tensors[0].type = 23
    let error = #expect(throws: GGUFError.self) { try GGUFFile(bytes: file.bytes()) }
    #expect(
      error?.description.contains("'blk.0.weight' has the unsupported type IQ4_XS (id 23)") == true)
    file.tensors[0].type = 99
    let unknown = #expect(throws: GGUFError.self) { try GGUFFile(bytes: file.bytes()) }
    #expect(unknown?.description.contains("'blk.0.weight' has the unknown type id 99") == true)
  }

  @Test func namesInErrorsStayOnOneReadableLine() {
    var file = RawGGUF.random(seed: 1)
    file.tensors[0].name = Array("a\n\u{1B}[31m".utf8)
    file.tensors[0].type = 99
    let error = #expect(throws: GGUFError.self) { try GGUFFile(bytes: file.bytes()) }
    #expect(error?.description.contains(#"'a\n\u{1B}[31m'"#) == true)

    var key = RawGGUF.Key(String(repeating: "k", count: 60000), uint32: 0)
    key.type = 77
    file.keys = [key]
    let long = #expect(throws: GGUFError.self) { try GGUFFile(bytes: file.bytes()) }
    #expect((long?.description.count ?? 0) < 300)
  }

  @Test func moreTextThanAnyModelHoldsIsRefusedWithoutCopyingIt() throws {
    let limit = 64 << 20
    func open(textLength: Int) throws -> GGUFFile {
      var raw = RawGGUF()
      raw.keys = [.init("a", string: "b"), .init("text", type: 8, value: littleEndian(textLength))]
      let path = try folder.write(raw.bytes(), to: "text.gguf")
      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      try handle.truncate(atOffset: UInt64(raw.bytes().count + textLength))
      try handle.close()
      return try GGUFFile(path: path)
    }
    // The names "a" and "text" and the value "b" count, too.
    #expect(try open(textLength: limit - 6).metadata.string("text")?.utf8.count == limit - 6)
    #expect(throws: GGUFError.tooMuchText(.value(key: "text"), offset: 62, limit: limit)) {
      try open(textLength: limit - 5)
    }
  }
}
