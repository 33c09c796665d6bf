import Foundation
import GGUF
import TestSupport
import Testing

/// Bounds with room for debug builds; a release build takes 0.4 ms for each of the two.
@Suite(.serialized) struct GGUFSpeedTests {
  @Test func aRealVocabularyIsReadQuickly() throws {
    var writer = GGUFWriter()
    writer.set("tokens", .array(GGUFArray((0..<64400).map { "token\($0)" })))
    writer.set("merges", .array(GGUFArray((0..<63683).map { "left right\($0)" })))
    writer.set("types", .array(GGUFArray([Int32](repeating: 1, count: 64400))))
    let bytes = try writer.bytes()
    var metadata = GGUFMetadata()
    let seconds = try processorSeconds { metadata = try GGUFFile(bytes: bytes).metadata }
    #expect(try metadata.array("tokens")?.count == 64400)
    #expect(try metadata.array("merges")?.stringBytes(at: 63682) == Array("left right63682".utf8))
    #expect(seconds < 0.5)
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
    var file: GGUFFile?
    let seconds = try processorSeconds { file = try GGUFFile(path: path) }
    #expect(file?.tensors.map(\.byteCount) == [1 << 30])
    #expect(seconds < 0.05)
  }
}
