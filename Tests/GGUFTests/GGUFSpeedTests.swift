import Foundation
import GGUF
import Testing

/// Bounds with room for debug builds and busy machines; measured in release, one core: 3 ms for the
/// vocabulary, 0.2 ms for the sparse file.
@Suite(.serialized) struct GGUFSpeedTests {
  @Test func aRealVocabularyIsReadQuickly() throws {
    var writer = GGUFWriter()
    writer.set("tokens", .array(GGUFArray((0..<64400).map { "token\($0)" })))
    writer.set("merges", .array(GGUFArray((0..<63683).map { "left right\($0)" })))
    writer.set("types", .array(GGUFArray([Int32](repeating: 1, count: 64400))))
    let bytes = try writer.bytes()
    let time = try ContinuousClock().measure {
      let metadata = try GGUFFile(bytes: bytes).metadata
      #expect(try metadata.array("tokens")?.count == 64400)
      #expect(try metadata.array("merges")?.stringBytes(at: 63682) == Array("left right63682".utf8))
    }
    #expect(time < .milliseconds(1500), "\(time)")
  }

  @Test func aFileOfAGigabyteIsInspectedWithoutReadingIt() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("sparse.gguf")
    var raw = RawGGUF()
    raw.tensors = [.init("big", [1], type: .I8)]
    raw.tensors[0].dimensions = [1 << 30]
    let handle = FileHandle(
      forWritingAtPath: try folder.write(raw.bytes(), to: "sparse.gguf"))
    try handle?.truncate(atOffset: 1 << 30 + 4096)
    try handle?.close()
    let clock = ContinuousClock()
    let start = clock.now
    let file = try GGUFFile(path: path)
    let time = clock.now - start
    #expect(file.tensors.map(\.byteCount) == [1 << 30])
    #expect(time < .milliseconds(150), "\(time)")
  }
}
