import Foundation
import GGUF
import TestSupport
import Testing

@Suite struct GGUFWriterTests {
  @Test(arguments: GGUFFixtureTests.files) func copyingAFileGivesTheSameBytes(_ url: URL) throws {
    let file = try GGUFFile(path: url.path)
    var writer = GGUFWriter(metadata: file.metadata)
    for tensor in file.tensors { try writer.addTensor(tensor, from: file) }
    #expect(try writer.bytes() == [UInt8](Data(contentsOf: url)))
  }
}
