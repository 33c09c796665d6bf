import Foundation
import GGUF
import Testing

@Suite struct GGUFFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func metadataAndTensorsAreWhatWasWritten() throws {
    var raw = RawGGUF()
    raw.keys = [
      .init("a", string: "text"), .init("b", uint32: 7),
      .init("c", arrayOf: 5, count: 2, elements: littleEndian(Int32(-1)) + littleEndian(Int32(2))),
    ]
    raw.tensors = [.init("x", [64, 3], type: .Q4_0), .init("y", [2, 3, 4, 5], type: .F16)]
    let file = try GGUFFile(bytes: raw.bytes())

    #expect(file.version == 3)
    #expect(file.alignment == 32)
    #expect(file.byteCount == raw.bytes().count)
    #expect(file.metadata.keys == ["a", "b", "c"])
    #expect(file.metadata["c"]?.arrayValue?.ints() == [-1, 2])

    let x = try #require(file.tensor(named: "x"))
    #expect(x.dimensions == [64, 3])
    #expect(x.type == .Q4_0)
    #expect((x.elementCount, x.rowCount, x.rowByteCount, x.byteCount) == (192, 3, 36, 108))
    #expect(x.fileOffset % 32 == 0)
    #expect(file.bytes(of: x).elementsEqual((0..<108).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    let y = try #require(file.tensor(named: "y"))
    #expect((y.elementCount, y.rowCount, y.rowByteCount, y.byteCount) == (120, 60, 4, 240))
    #expect(y.fileOffset == x.fileOffset + 128)
    #expect(file.tensor(named: "z") == nil)
  }

  @Test func theBytesOfAForeignTensorAreEmpty() throws {
    let file = try GGUFFile(bytes: RawGGUF.random(seed: 1).bytes())
    for offset in [-1, file.byteCount - 3, .max] {
      let foreign = try #require(
        TensorInfo(name: "foreign", dimensions: [1], type: .F32, fileOffset: offset))
      #expect(file.bytes(of: foreign).isEmpty)
    }
  }

  @Test func tensorsOfUnalignedFilesAreAlignedForTheirType() throws {
    var raw = RawGGUF()
    raw.keys = [.init("general.alignment", uint32: 1)]
    raw.alignment = 1
    raw.tensors = [
      .init("one", [1], type: .I8), .init("floats", [5], type: .F32),
      .init("doubles", [2], type: .F64), .init("blocks", [256], type: .Q6_K),
      .init("halves", [3], type: .F16),
    ]
    let file = try GGUFFile(bytes: raw.bytes())
    for (index, tensor) in file.tensors.enumerated() {
      let bytes = file.bytes(of: tensor)
      let address = Int(bitPattern: bytes.baseAddress)
      #expect(address % min(tensor.type.blockBytes, tensor.type == .F64 ? 8 : 4) == 0)
      let expected = (0..<tensor.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) }
      #expect(bytes.elementsEqual(expected))
    }
  }

  @Test func bytesStayValidAsLongAsTheFileLives() throws {
    let path = try folder.write(RawGGUF.random(seed: 2).bytes(), to: "model.gguf")
    let file = try GGUFFile(path: path)
    let expected = file.tensors.map { Array(file.bytes(of: $0)) }
    try FileManager.default.removeItem(atPath: path)
    #expect(file.tensors.map { Array(file.bytes(of: $0)) } == expected)
  }

  @Test func arraysOutliveTheirFile() throws {
    let path = try folder.write(RawGGUF.random(seed: 2).bytes(), to: "model.gguf")
    let words = try GGUFFile(path: path).metadata.array("general.words")
    #expect(words?.strings() == ["a", "", "天気"])
  }

  @Test func aChangedFileIsNoticed() throws {
    let bytes = RawGGUF.random(seed: 2).bytes()
    let changes: [(String, (FileHandle) throws -> Void)] = [
      ("cut", { try $0.truncate(atOffset: UInt64(bytes.count - 1)) }),
      (
        "longer",
        {
          try $0.seekToEnd(); try $0.write(contentsOf: Data([0]))
        }
      ),
      (
        "overwritten",
        {
          try $0.seek(toOffset: 30); try $0.write(contentsOf: Data([0]))
        }
      ),
    ]
    for (name, change) in changes {
      let path = try folder.write(bytes, to: "\(name).gguf")
      // The clock that stamps files is coarse.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: path)
      let mapped = try GGUFFile(path: path)
      let copied = try GGUFFile(path: path, mode: .inMemory)
      try mapped.checkUnchanged()

      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      try change(handle)
      try handle.close()
      #expect(throws: GGUFError.fileChanged(path: path), "\(name)") { try mapped.checkUnchanged() }
      try copied.checkUnchanged()
      #expect(copied.byteCount == bytes.count)
    }
  }

  @Test func aFileReplacedUnderItsNameIsNotChanged() throws {
    let path = try folder.write(RawGGUF.random(seed: 2).bytes(), to: "model.gguf")
    let file = try GGUFFile(path: path)
    let expected = file.tensors.map { Array(file.bytes(of: $0)) }
    let other = try folder.write(RawGGUF.random(seed: 3).bytes(), to: "other.gguf")
    #expect(rename(other, path) == 0)
    try file.checkUnchanged()
    #expect(file.tensors.map { Array(file.bytes(of: $0)) } == expected)
  }

  #if os(Linux)
    @Test func failedAndFinishedLoadsLeakNothing() throws {
      let bytes = RawGGUF.random(seed: 2).bytes()
      let bad = try folder.write(Array(bytes.dropLast(200)), to: "leak-bad.gguf")
      let good = try folder.write(bytes, to: "leak-good.gguf")
      for _ in 0..<100 {
        for mode in [GGUFFile.LoadMode.mapped, .inMemory] {
          #expect(throws: GGUFError.self) { try GGUFFile(path: bad, mode: mode) }
          #expect(try GGUFFile(path: good, mode: mode).tensors.isEmpty == false)
        }
      }
      // Other tests run beside this one: only what names these files counts.
      let leftovers = try openFiles() + mappedFiles()
      #expect(leftovers.filter { $0.contains("leak-") } == [])

      let file = try GGUFFile(path: good)
      let inUse = try openFiles() + mappedFiles()
      #expect(inUse.filter { $0.contains("leak-good") }.count == 2)
      try file.checkUnchanged()
    }

    private func openFiles() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
    }

    private func mappedFiles() throws -> [String] {
      // Read in pieces, as the system gives it.
      let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
      return String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }
  #endif
}
