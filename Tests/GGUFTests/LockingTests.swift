#if os(Linux)
  import Foundation
  import GGUF
  import TestSupport
  import Testing

  @Suite(.serialized) struct LockingTests {
    let path = Fixtures.bundled("tiny-chat/gguf/tiny-chat-q4_k_m.gguf").path

    /// Bytes this process has locked.
    private func lockedBytes() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
      let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
      return try #require(number.flatMap { Int($0) }) * 1024
    }

    @Test(arguments: [GGUFFile.LoadMode.mapped, .inMemory])
    func aLockedFileStaysInMemoryWhileItLives(_ mode: GGUFFile.LoadMode) throws {
      let before = try lockedBytes()
      do {
        let file = try GGUFFile(path: path, mode: mode, locked: true)
        #expect(try lockedBytes() - before >= file.byteCount)
        #expect(file.tensors.count > 10)
      } catch GGUFError.lockRefused(let path, let byteCount, let limit, _) {
        // A user with a small limit.
        #expect(path == self.path && byteCount > (limit ?? .max))
      }
      #expect(try lockedBytes() == before)
    }
  }
#endif
