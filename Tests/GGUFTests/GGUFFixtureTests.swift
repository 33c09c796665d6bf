import Foundation
import GGUF
import TestSupport
import Testing

/// Every GGUF file of the fixture sets, made by the format's own tools.
@Suite struct GGUFFixtureTests {
  static let files: [URL] = {
    let roots = [Fixtures.bundled("."), Fixtures.hasShared ? Fixtures.shared(".") : nil]
    return roots.compactMap { $0 }.flatMap { root -> [URL] in
      let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      return (paths?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "gguf" }
    }.sorted { $0.path < $1.path }
  }()

  @Test(arguments: files) func loadsMappedAndInMemoryAlike(_ url: URL) throws {
    let mapped = try GGUFFile(path: url.path)
    let copied = try GGUFFile(path: url.path, mode: .inMemory)
    #expect(mapped.version == 3)
    #expect(mapped.tensors == copied.tensors)
    #expect(mapped.metadata.keys == copied.metadata.keys)
    for key in mapped.metadata.keys { #expect(mapped.metadata[key] == copied.metadata[key]) }
    for tensor in mapped.tensors {
      #expect(mapped.bytes(of: tensor).count == tensor.byteCount)
      let (left, right) = (mapped.bytes(of: tensor), copied.bytes(of: tensor))
      let start = try (#require(left.baseAddress), #require(right.baseAddress))
      #expect(memcmp(start.0, start.1, tensor.byteCount) == 0)
    }
    try mapped.checkUnchanged()
    try copied.checkUnchanged()
  }
}
