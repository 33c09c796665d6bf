import Foundation
import TestSupport
import Testing

@testable import Persistence

@Suite struct SnapshotTests {
  @Test func whatIsWrittenIsRead() throws {
    let folder = try TemporaryFolder()
    for tokens in [[], [5], [5, 6, 7]] as [[Int32]] {
      for (attachment, isComplete) in [("", true), ("{\"a\": 1}", false)] {
        let snapshot = try SmallSnapshot.make(
          tokens: tokens, attachment: attachment, isComplete: isComplete)
        try snapshot.write(to: folder.file("a"))
        let read = try Snapshot(path: folder.file("a"), for: SmallSnapshot.requirements)
        #expect(read.tokens == tokens)
        #expect(read.isComplete == isComplete)
        #expect(String(decoding: read.attachment, as: UTF8.self) == attachment)
        #expect(SmallSnapshot.states(read) == SmallSnapshot.states(snapshot))
        #expect(snapshot.byteCount == read.fileBytes.count)
        let summary = try SnapshotSummary(path: folder.file("a"))
        #expect(summary.tokens == tokens && summary.identity == SmallSnapshot.identity)
        #expect(folder.names == ["a"], "nothing else may be left in the folder")
      }
    }
  }

  @Test func everyCutIsRefused() throws {
    let bytes = try SmallSnapshot.make().fileBytes
    for count in 0..<bytes.count {
      let error = #expect(throws: SnapshotError.self) {
        try SmallSnapshot.read(Array(bytes.prefix(count)))
      }
      switch error {
      case .notASnapshot?: #expect(count < 8)
      case .wrongSize(let expected, count)?:
        #expect(expected == (count < 128 ? 128 : count < 140 ? 140 : bytes.count))
      default: Issue.record("\(count) bytes: \(String(describing: error))")
      }
    }
    #expect(throws: SnapshotError.wrongSize(expected: bytes.count, found: bytes.count + 1)) {
      try SmallSnapshot.read(bytes + [0])
    }
  }

  @Test func everyFlippedBitIsRefused() throws {
    let bytes = try SmallSnapshot.make().fileBytes
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      for requirements in [SmallSnapshot.requirements, nil] {
        let error = #expect(throws: SnapshotError.self) {
          try SmallSnapshot.read(damaged, for: requirements)
        }
        #expect(error?.description.hasSuffix(".") == true)
      }
    }
  }

  @Test func whatDoesNotFitIsRefusedWithTheReason() throws {
    let bytes = try SmallSnapshot.make().fileBytes
    func error(_ change: (inout SnapshotRequirements) -> Void) -> SnapshotError? {
      var requirements = SmallSnapshot.requirements
      change(&requirements)
      return #expect(throws: SnapshotError.self) {
        try SmallSnapshot.read(bytes, for: requirements)
      }
    }
    #expect(error { $0.identity = ContentHash(high: 7, low: 8) } == .otherModel)
    #expect(
      error { $0.shape.elementBytes = 4 } == .otherCacheType(found: 2, expected: 4))
    #expect(error { $0.shape.keyValueHeads = [2, 0, 0] } == .otherShape)
    #expect(error { $0.shape.headDimension = 5 } == .otherShape)
    #expect(error { $0.shape.convolutionCount = 4 } == .otherShape)
    #expect(error { $0.capacity = 2 } == .tooLong(tokens: 3, capacity: 2))
  }

  @Test func anotherVersionAndAnotherByteOrderAreNamed() throws {
    var bytes = try SmallSnapshot.make().fileBytes
    bytes.swapAt(8, 11)
    bytes.swapAt(9, 10)
    #expect(throws: SnapshotError.foreignByteOrder) { try SmallSnapshot.read(bytes) }
    bytes = try SmallSnapshot.make().fileBytes
    bytes.replaceSubrange(12..<16, with: withUnsafeBytes(of: UInt32(2)) { Array($0) })
    #expect(throws: SnapshotError.otherVersion(found: 2, known: 1)) {
      try SmallSnapshot.read(bytes)
    }
    #expect(throws: SnapshotError.notASnapshot) { try SmallSnapshot.read(Array("GGUF".utf8)) }
  }

  /// Sizes that overflow, or that no memory could hold, with right checksums.
  @Test func impossibleNumbersAreRefusedBeforeMemoryIsTaken() throws {
    let bytes = try SmallSnapshot.make().fileBytes
    for (offset, width) in [(40, 4), (44, 4), (48, 8), (56, 8), (64, 8)] {
      for value in [UInt64.max, 1 << 63, 1 << 62, 1 << 40, 1 << 31, 1 << 20, 1 << 12] {
        var forged = bytes
        let digits = withUnsafeBytes(of: value.littleEndian) { Array($0.prefix(width)) }
        forged.replaceSubrange(offset..<offset + width, with: digits)
        let checksum = ContentHash(Array(forged[..<120])).low
        forged.replaceSubrange(120..<128, with: withUnsafeBytes(of: checksum) { Array($0) })
        guard forged[..<120] != bytes[..<120] else { continue }
        #expect(throws: SnapshotError.self) { try SmallSnapshot.read(forged, for: nil) }
      }
    }
  }

  /// A change of the format that does not raise its version fails here.
  @Test func theFormatIsThatOfTheFixture() throws {
    let fixture = Fixtures.bundled("persistence/small.snapshot")
    #expect(try SmallSnapshot.make().fileBytes == Array(Data(contentsOf: fixture)))
  }

  @Test func whatIsNoFileIsRefused() throws {
    let folder = try TemporaryFolder()
    func error(_ name: String) -> SnapshotError? {
      #expect(throws: SnapshotError.self) { try SnapshotSummary(path: folder.file(name)) }
    }
    #expect(error("absent") == .system(operation: "open", code: ENOENT))
    #expect(error("") == .noRegularFile)
    mkfifo(folder.file("pipe"), 0o600)
    #expect(error("pipe") == .noRegularFile)
    try Data().write(to: URL(fileURLWithPath: folder.file("empty")))
    #expect(error("empty") == .notASnapshot)
  }
}
