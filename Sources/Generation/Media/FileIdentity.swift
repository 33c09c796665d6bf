import GGUF
import Persistence

/// A file and the hash of its content, which is computed when it is first asked for. Thread-safe.
final class FileIdentity: Sendable {
  let file: GGUFFile
  private let memo = Locked<ContentHash?>(nil)

  init(_ file: GGUFFile) { self.file = file }

  var hash: ContentHash {
    memo.withLock { memo in
      if let memo { return memo }
      let hash = file.withUnsafeBytes { ContentHash(large: $0) }
      memo = hash
      return hash
    }
  }
}
