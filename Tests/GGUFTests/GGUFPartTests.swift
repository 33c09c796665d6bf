import Foundation
import GGUF
import TestSupport
import Testing

/// Models that are split into several files.
@Suite struct GGUFPartTests {
  private let folder: TemporaryFolder
  private let whole: GGUFFile

  init() throws {
    folder = try TemporaryFolder()
    whole = try GGUFFile(path: Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path)
  }

  /// Splits the bundled model; the first part holds all metadata, the others their number alone.
  private func split(
    into count: Int, numbers: [Int]? = nil, names: (Int) -> String
  ) throws -> [String] {
    let share = (whole.tensors.count + count - 1) / count
    return try (0..<count).map { index in
      var writer = GGUFWriter(metadata: index == 0 ? whole.metadata : GGUFMetadata())
      writer.set("split.no", .uint16(UInt16(numbers?[index] ?? index)))
      writer.set("split.count", .uint16(UInt16(count)))
      writer.set("split.tensors.count", .int32(Int32(whole.tensors.count)))
      for tensor in whole.tensors.dropFirst(index * share).prefix(share) {
        try writer.addTensor(tensor, from: whole)
      }
      let path = folder.path(names(index + 1))
      try writer.write(to: path)
      return path
    }
  }

  private func problem(_ path: String) -> GGUFError? {
    do {
      _ = try GGUFFile(path: path)
      return nil
    } catch { return error }
  }

  @Test(arguments: [2, 3, 7], [GGUFFile.LoadMode.mapped, .inMemory])
  func thePartsAreOneModel(_ count: Int, _ mode: GGUFFile.LoadMode) throws {
    let paths = try split(into: count) { "m-0000\($0)-of-0000\(count).gguf" }
    let file = try GGUFFile(path: paths[0], mode: mode)
    #expect(file.tensors.map(\.name) == whole.tensors.map(\.name))
    for key in whole.metadata.keys { #expect(file.metadata[key] == whole.metadata[key]) }
    for tensor in file.tensors {
      let original = try #require(whole.tensor(named: tensor.name))
      #expect(tensor.dimensions == original.dimensions && tensor.type == original.type)
      #expect(file.bytes(of: tensor).elementsEqual(whole.bytes(of: original)))
      #expect(Int(bitPattern: file.bytes(of: tensor).baseAddress) % 32 == 0)
    }
    try file.checkUnchanged()
    // Every part is watched.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[count - 1]))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    if mode == .mapped {
      #expect(throws: GGUFError.fileChanged(path: paths[count - 1])) { try file.checkUnchanged() }
    } else {
      try file.checkUnchanged()
    }
  }

  @Test func whatKeepsPartsFromBeingJoinedIsNamed() throws {
    let paths = try split(into: 3) { "m-0000\($0)-of-00003.gguf" }
    #expect(problem(paths[1]) == .sharded(part: 2, count: 3))
    #expect(problem(paths[1])?.description.contains("NAME-00001-of-00003.gguf") == true)

    try FileManager.default.removeItem(atPath: paths[2])
    #expect(problem(paths[0]) == .cannotOpen(path: paths[2], .doesNotExist))
    try FileManager.default.copyItem(atPath: paths[1], toPath: paths[2])
    #expect(problem(paths[0]) == .wrongPart(path: paths[2], expected: 3, count: 3))
    #expect(problem(paths[0])?.description.contains("part 3 of 3") == true)
    try Data("GGUF".utf8).write(to: URL(fileURLWithPath: paths[2]))
    #expect(problem(paths[0]) != nil)

    let renamed = try split(into: 2) { "part\($0).gguf" }
    #expect(problem(renamed[0]) == .sharded(part: 1, count: 2))
  }

  @Test func aTensorInTwoPartsIsRefused() throws {
    let paths = try split(into: 2) { "m-0000\($0)-of-00002.gguf" }
    var writer = GGUFWriter()
    writer.set("split.no", .uint16(1))
    writer.set("split.count", .uint16(2))
    let tensor = try #require(whole.tensors.first)
    try writer.addTensor(tensor, from: whole)
    try writer.write(to: paths[1])
    guard case .duplicateTensor(tensor.name, _)? = problem(paths[0]) else {
      Issue.record("\(String(describing: problem(paths[0])))")
      return
    }
  }
}
