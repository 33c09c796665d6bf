import GGUF
import Grammar
import TestSupport
import Tokenizer

/// The pieces of a vocabulary beside the trie made of them.
struct PieceVocabulary: Sendable {
  /// By id; empty for control tokens.
  let pieces: [[UInt8]]
  let trie: GrammarVocabulary
  /// Tokens that lead towards the end of an answer outside strings, the quickest first.
  let closing: [Int32]
  /// The one that ends a string, and what the patterns of the tests want in front of it.
  let quote: [Int32]
  let lastLetters: [Int32]

  init(_ pieces: [[UInt8]]) {
    self.pieces = pieces
    func ids(_ texts: [String]) -> [Int32] {
      texts.compactMap { text in
        pieces.firstIndex { $0.elementsEqual(text.utf8) }.map(Int32.init)
      }
    }
    closing = ids(["}", "]", "\"", ",", ", "])
    quote = ids(["\""])
    lastLetters = ids(["/", "z"])
    trie = GrammarVocabulary(count: pieces.count) { pieces[Int($0)] }
  }

  /// The id of a byte's own token in `small` and `bytes`.
  static func id(of byte: UInt8) -> Int32 { Int32(byte) + 2 }

  private static let singles: [[UInt8]] =
    [[], []] + (0...255 as ClosedRange<UInt8>).map { [$0] }

  /// Two control tokens and the 256 bytes.
  static let bytes = PieceVocabulary(singles)

  /// Those, and pieces that cross every kind of border inside JSON.
  static let small: PieceVocabulary = {
    let punctuation = [
      "\": \"", "\", \"", "{\"", "\": ", "\", ", "\"}", "}, {", "\"]", "[\"", "[[", "]]", "}}",
      "\"},", "\": {", "\": [", "], \"", ", \"", "[{", "}]", "},\n", "\":", "\",", "{}", "[]",
      "\"\"",
      ": ", ", ", "  ", "\n  ", " \"", "\\\"", "\\n", "\\u00", "\\u", "\\\\", "\\ud83d", "\\ude00",
      "\": 1", "\": true", "\": null}", "\": false, \"", "null", "true", "false", "nul", "tr",
      "als",
      "e}", "l,", "0}", "1,", "1]", "-1", "0.", ".5", ".25", "e+", "E-", "10", "100", "123", "00",
      "999", "2024", "-01", "-12-31", "T12:", ":30:", "00Z", "00:00", "+01:00", "</think>",
      "<think>",
    ]
    let words = [
      "a", "ab", "abc", "name", "\"name\"", "\"a\"", "\"b\": ", "streetNumber", "street", "Number",
      "type", "\"type\"", "left", "right", "value", "next", "children", "red", "green", "blue",
      "cat",
      "the", " the", "hello", " world", "x y", "größe", "gr", "öße", "Größe", "é", "天気", "天", "😀",
      "ok", "xyz", "zzz", "AB", "ABC-", "#ff", "v1", "a@b", ".com", "urn:", "b", "c", "bc", "bcd",
      "deadbeef", "-4000-", "word word", "\t", "end\"", "q\": \"r\", \"s", "a\": 1, \"b\": 2}",
    ]
    // Parts of scalars, and bytes that no text holds.
    let broken: [[UInt8]] = [
      [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0x98, 0x80], [0x80, 0x22], [0xC3], [0xA9, 0x22],
      [0xC3, 0x28],
      [0xE5, 0xA4], [0xA9, 0xE6], [0xB0, 0x97], [0xC0, 0x80], [0xED, 0xA0], [0xFF, 0xFE],
      [0x61, 0xC3], [0x22, 0xF0, 0x9F], [0xA9, 0x61, 0xC3], [0x80, 0x80], [0x00, 0x61],
      [0x61, 0x0A],
    ]
    let pieces = (punctuation + words).map { Array($0.utf8) } + broken
    // A control token between others, and two ids for the same piece.
    return PieceVocabulary(singles + pieces + [[], Array("name".utf8)])
  }()

  /// LFM2's own, where the full fixtures are at hand.
  static let lfm2: PieceVocabulary? = Fixtures.shared("tokenizer/lfm2-vocab.gguf").flatMap { url in
    guard let tokenizer = try? Tokenizer(GGUFFile(path: url.path)) else { return nil }
    return PieceVocabulary(
      (0..<Int32(tokenizer.vocabularySize)).map { id in
        tokenizer.kind(of: id) == .normal ? tokenizer.bytes(of: id) : []
      })
  }
}
