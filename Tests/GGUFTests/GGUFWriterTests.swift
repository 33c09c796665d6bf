import Foundation
import GGUF
import TestSupport
import Testing

@Suite struct GGUFWriterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: GGUFFixtureTests.files) func copyingAFileGivesTheSameBytes(_ url: URL) throws {
    let file = try GGUFFile(path: url.path)
    var writer = GGUFWriter(metadata: file.metadata)
    for tensor in file.tensors { try writer.addTensor(tensor, from: file) }
    let path = folder.path("copy.gguf")
    try writer.write(to: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: url))
    #expect(try folder.fileNames == ["copy.gguf"])
  }

  @Test func everyKindOfValueComesBack() throws {
    var writer = GGUFWriter()
    let values: [GGUFValue] = [
      .uint8(.max), .int8(.min), .uint16(.max), .int16(.min), .uint32(.max), .int32(.min),
      .uint64(.max), .int64(.min), .float32(-0.1), .float64(1e300), .bool(true), .bool(false),
      .string(""), .string("é 天気\n"), .array(GGUFArray([3, -3] as [Int32])),
      .array(GGUFArray(["x", ""])), .array(GGUFArray([Float.pi])), .array(GGUFArray([true])),
      .array(GGUFArray([] as [UInt32])),
    ]
    for (index, value) in values.enumerated() { writer.set("key.\(index)", value) }
    let file = try GGUFFile(bytes: writer.bytes())
    #expect(file.metadata.keys == values.indices.map { "key.\($0)" })
    #expect(values.indices.map { file.metadata["key.\($0)"] } == values)
  }

  @Test func tensorsLieAtMultiplesOfTheAlignment() throws {
    for alignment in [1, 8, 32, 4096] as [UInt32] {
      var writer = GGUFWriter()
      writer.set("general.alignment", .uint32(alignment))
      try writer.addTensor("a", dimensions: [3], type: .I8, bytes: [1, 2, 3])
      try writer.addTensor("b", dimensions: [2], type: .I8, bytes: [4, 5])
      let bytes = try writer.bytes()
      #expect(bytes.count % Int(alignment) == 0)
      let file = try GGUFFile(bytes: bytes)
      #expect(file.alignment == Int(alignment))
      #expect(file.tensors.map { Array(file.bytes(of: $0)) } == [[1, 2, 3], [4, 5]])
      #expect(file.tensors.allSatisfy { $0.fileOffset % Int(alignment) == 0 })
    }
  }

  @Test func dataMayComeInPiecesOfAnySize() throws {
    let data = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var writer = GGUFWriter()
    try writer.addTensor("pieces", dimensions: [data.count], type: .I8) { append in
      var start = 0
      for size in [0, 1, 999_999, 2_000_000, 0] {
        try Array(data[start..<(start + size)]).withUnsafeBytes { try append($0) }
        start += size
      }
    }
    try writer.addTensor("after", dimensions: [1], type: .F32, bytes: [1, 2, 3, 4])
    var shares: [Double] = []
    let path = folder.path("model.gguf")
    try writer.write(to: path) { shares.append($0) }
    #expect(shares.first == 0)
    #expect(shares.last == 1)
    #expect(shares == shares.sorted())
    let file = try GGUFFile(path: path)
    #expect(Array(file.bytes(of: file.tensors[0])) == data)
    #expect(Array(file.bytes(of: file.tensors[1])) == [1, 2, 3, 4])
  }

  @Test(arguments: [3, 5]) func dataOfAnotherSizeIsRefused(_ given: Int) throws {
    var writer = GGUFWriter()
    let bytes = [UInt8](repeating: 0, count: given)
    try writer.addTensor("t", dimensions: [4], type: .I8, bytes: bytes)
    let path = folder.path("model.gguf")
    #expect(throws: GGUFError.tensorDataMismatch(tensor: "t", expected: 4, given: given)) {
      try writer.write(to: path)
    }
    #expect(try folder.fileNames.isEmpty)
  }

  @Test func whatWasThereStaysUntilTheFileIsWhole() throws {
    struct Stop: Error {}
    let path = try folder.write([1, 2, 3], to: "model.gguf")
    var writer = GGUFWriter()
    try writer.addTensor("t", dimensions: [4], type: .I8) { _ in throw Stop() }
    #expect(throws: Stop.self) { try writer.write(to: path) }
    #expect(throws: Stop.self) { try GGUFWriter().write(to: path) { _ in throw Stop() } }
    #expect(try folder.fileNames == ["model.gguf"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))

    try GGUFWriter().write(to: path)
    #expect(try GGUFFile(path: path).tensors.isEmpty)
    #expect(try folder.fileNames == ["model.gguf"])
  }

  @Test func aPlaceThatCannotBeWrittenIsNamed() throws {
    let path = folder.path("no folder/model.gguf")
    let error = #expect(throws: GGUFError.self) { try GGUFWriter().write(to: path) }
    #expect(error == .systemFailure(operation: "create", path: path, code: ENOENT))
    #expect(error?.description.contains("no folder/model.gguf") == true)

    let taken = folder.path("taken")
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
    #expect(throws: GGUFError.self) { try GGUFWriter().write(to: taken) }
    #expect(try folder.fileNames == ["taken"])
  }

  @Test func contentThatNoReaderTakesIsRefused() {
    var writer = GGUFWriter()
    func refuses(_ name: String, _ dimensions: [Int], _ type: TensorType) {
      #expect(throws: GGUFError.self, "\(name) \(dimensions)") {
        try writer.addTensor(name, dimensions: dimensions, type: type, bytes: [])
      }
    }
    refuses("", [1], .I8)
    refuses(String(repeating: "n", count: 64), [1], .I8)
    refuses("t", [], .I8)
    refuses("t", [1, 1, 1, 1, 1], .I8)
    refuses("t", [33], .Q4_0)
    refuses("t", [-32], .Q4_0)
    refuses("t", [.max, 2], .I8)
    #expect(throws: Never.self) {
      try writer.addTensor("t", dimensions: [1], type: .I8, bytes: [0])
    }
    refuses("t", [1], .I8)

    for key in ["", String(repeating: "k", count: 65536)] {
      var writer = GGUFWriter()
      writer.set(key, .bool(true))
      #expect(throws: GGUFError.self) { try writer.bytes() }
    }
    writer.set("general.alignment", .uint32(3))
    #expect(throws: GGUFError.invalidAlignment(3)) { try writer.bytes() }
  }
}
