import Foundation
import GGUF
import TestSupport

@testable import Tokenizer

/// A vocabulary small enough to reason about: control tokens, the 256 bytes, a few merges.
enum TestVocabulary {
  static let bos: Int32 = 0
  static let end: Int32 = 1
  static let think: Int32 = 2
  static let firstByte = 3

  static func make(
    merges: [String] = ["h e", "l l", "he ll", "Ġ w", "Ġ Ġ", "a b", "b c"],
    extra: [(text: String, kind: TokenKind)] = []
  ) -> Vocabulary {
    var vocabulary = Vocabulary()
    vocabulary.preTokenizer = "lfm2"
    vocabulary.tokens = ByteStrings(["<|startoftext|>", "<|im_end|>", "<think>"])
    vocabulary.kinds = [TokenKind.control, .control, .userDefined].map(\.rawValue)
    for byte in 0...255 as ClosedRange<UInt8> {
      var spelling: [UInt8] = []
      ByteAlphabet.spell([byte], into: &spelling)
      vocabulary.tokens.append(spelling)
      vocabulary.kinds.append(TokenKind.normal.rawValue)
    }
    vocabulary.merges = ByteStrings(merges)
    for merge in merges {
      vocabulary.tokens.append(merge.utf8.filter { $0 != 0x20 })
      vocabulary.kinds.append(TokenKind.normal.rawValue)
    }
    for (text, kind) in extra {
      vocabulary.tokens.append(text.utf8)
      vocabulary.kinds.append(kind.rawValue)
    }
    vocabulary.bosToken = Int(bos)
    vocabulary.eosToken = Int(end)
    return vocabulary
  }

  /// The ids of bytes that were not merged.
  static func bytes(_ text: String) -> [Int32] {
    text.utf8.map { Int32(firstByte) + Int32($0) }
  }
}

/// LFM2's own tokenizer, where the full fixtures are at hand: its licence keeps it out of the
/// repository.
enum LFM2Vocabulary {
  static let tokenizer: Tokenizer? = Fixtures.shared("tokenizer/lfm2-vocab.gguf").flatMap {
    try? Tokenizer(GGUFFile(path: $0.path))
  }
}

/// The small chat model made for this project, in whichever quantisation is at hand; all have the
/// same tokenizer.
enum TinyChat {
  private static let type =
    ["q4_0", "q8_0", "q4_k_m", "q6_k", "f16"].first {
      let names = ["gguf/tiny-chat-\($0).gguf", "golden/tiny-chat-\($0).json"]
      return names.allSatisfy {
        FileManager.default.fileExists(atPath: Fixtures.best("tiny-chat/\($0)").path)
      }
    } ?? "q4_0"

  static let golden = Fixtures.best("tiny-chat/golden/tiny-chat-\(type).json")

  static func file() throws -> GGUFFile {
    try GGUFFile(path: Fixtures.best("tiny-chat/gguf/tiny-chat-\(type).gguf").path)
  }
}
