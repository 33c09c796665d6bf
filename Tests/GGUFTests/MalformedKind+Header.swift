import GGUF

extension MalformedKind {
  static let headerKinds: [MalformedKind] = [
    accepted("nothing wrong") { _ in },
    refused("other magic", isNotGGUF) { $0.magic = Array("GGML".utf8) },
    refused("magic backwards", isNotGGUF) { $0.magic = Array("FUGG".utf8) },
    refused("magic in small letters", isNotGGUF) { $0.magic = Array("gguf".utf8) },
    refused("version 0", isVersion) { $0.version = 0 },
    refused("version 1", isVersion) { $0.version = 1 },
    refused("version 4", isVersion) { $0.version = 4 },
    refused("highest version", isVersion) { $0.version = .max },
    refused("big-endian version 3", isBigEndian) { $0.version = UInt32(3).byteSwapped },
    refused("big-endian version 2", isBigEndian) { $0.version = UInt32(2).byteSwapped },
    accepted("version 2") { $0.version = 2 },
    accepted("version 3") { $0.version = 3 },
    refused("one tensor more", isAnything) { $0.tensorCount = UInt64($0.tensors.count + 1) },
    refused("2^61 tensors", isTooMany) { $0.tensorCount = 1 << 61 },
    refused("2^64 - 1 tensors", isTooMany) { $0.tensorCount = .max },
    refused("2^63 tensors", isTooMany) { $0.tensorCount = 1 << 63 },
    refused("100,000 tensors in a small file", isTooMany) { $0.tensorCount = 100_000 },
    refused("one key more", isAnything) { $0.keyCount = UInt64($0.keys.count + 1) },
    refused("one key less", isAnything) { $0.keyCount = UInt64($0.keys.count - 1) },
    refused("2^64 - 1 keys", isTooMany) { $0.keyCount = .max },
    refused("2^32 keys", isTooMany) { $0.keyCount = 1 << 32 },
    refused("60,000 keys in a small file", isTooMany) { $0.keyCount = 60_000 },
    tooMany("keys", at: 16, count: 1 << 16 + 1),
    tooMany("tensors", at: 8, count: 1 << 17 + 1),
    accepted("one tensor less, whose data is left over") { file in
      file.tensors[0].offset = 0
      let last = file.tensors.removeLast()
      file.tensors[file.tensors.count - 1].byteCount += last.byteCount
    },
    accepted("no keys and no tensors") { file in
      file.keys = []
      file.tensors = []
    },
    accepted("no tensors") { $0.tensors = [] },
    accepted("no keys") { $0.keys = [] },
    refusedBytes("empty file", isNotGGUF) { _, _ in [] },
    refusedBytes("three bytes", isNotGGUF) { bytes, _ in Array(bytes.prefix(3)) },
    refusedBytes("magic alone", isTruncated) { bytes, _ in Array(bytes.prefix(4)) },
    refusedBytes("header cut", isTruncated) { bytes, seed in
      Array(bytes.prefix(5 + Int(seed % 19)))
    },
    refusedBytes("web page", isNotGGUF) { _, _ in Array("<!doctype html><html></html>".utf8) },
    refusedBytes("error in JSON", isNotGGUF) { _, _ in Array(#"{"error":"no"}"#.utf8) },
    refusedBytes("one byte in front", isNotGGUF) { bytes, seed in [UInt8(seed & 0x3F)] + bytes },
    refusedBytes("random bytes behind the header", isAnything) { bytes, seed in
      var random = SeededGenerator(seed: seed)
      return bytes.prefix(24) + (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
    },
  ]

  /// A count that the file is big enough for, but that is above what any file may have.
  private static func tooMany(_ name: String, at offset: Int, count: UInt64) -> MalformedKind {
    refusedBytes("\(count) \(name) in a big file", isTooMany) { _, _ in
      var bytes = Array("GGUF".utf8) + littleEndian(UInt32(3))
      bytes += [UInt8](repeating: 0, count: 2 << 20)
      bytes.replaceSubrange(offset..<(offset + 8), with: littleEndian(count))
      return bytes
    }
  }
}
