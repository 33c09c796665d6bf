import Testing

@testable import Tokenizer

@Suite struct PreTokenizerTests {
  private func pieces(_ text: String, _ name: String) throws -> [String] {
    let bytes = Array(text.utf8)
    var pieces: [String] = []
    let rule = try #require(PreTokenizer.named(name))
    rule.forEachPiece(of: bytes, in: 0..<bytes.count) {
      pieces.append(String(decoding: bytes[$0], as: UTF8.self))
    }
    return pieces
  }

  @Test(
    arguments: [
      (
        "I'll say it's 12345 o'clock",
        ["I", "'ll", " say", " it", "'s", " ", "123", "45", " o", "'clock"]
      ),
      ("WE'VE 'Tis", ["WE", "'VE", " '", "Tis"]),
      ("a'\u{17F}b", ["a", "'\u{17F}", "b"]),
      ("x = (y+1);\n\n  z", ["x", " =", " (", "y", "+", "1", ");\n\n", " ", " z"]),
      ("  \n \r\n  tail", ["  \n \r\n", " ", " tail"]),
      ("end   ", ["end", "   "]),
      ("e\u{301}a", ["e", "\u{301}a"]),
      ("٣٤٥٦½Ⅷ", ["٣٤٥", "٦½Ⅷ"]),
      ("\tif\u{A0}x", ["\tif", "\u{A0}x"]),
      ("日本語。テスト", ["日本語", "。テスト"]),
      ("👨‍👩‍👧 ok", ["👨‍👩‍👧", " ok"]),
      ("a\u{0}b\u{85}\u{2028}c", ["a", "\u{0}b", "\u{85}", "\u{2028}c"]),
    ] as [(String, [String])])
  func lfm2CutsLikeItsExpression(text: String, expected: [String]) throws {
    #expect(try pieces(text, "lfm2") == expected)
    #expect(try pieces(text, "llama-bpe") == expected)
  }

  @Test(
    arguments: [
      ("abc 12345", ["abc", " ", "1", "2", "3", "4", "5"]),
      ("it's\n x", ["it", "'s", "\n", " x"]),
    ] as [(String, [String])])
  func qwen2TakesDigitsOneByOne(text: String, expected: [String]) throws {
    #expect(try pieces(text, "qwen2") == expected)
  }

  @Test(
    arguments: [
      ("abc 12345 's", ["abc", " 12345", " '", "s"]),
      ("IT'S it's we'll", ["IT", "'", "S", " it", "'s", " we", "'ll"]),
      ("a \n\n b", ["a", " \n\n", " b"]),
      ("x  ", ["x", "  "]),
      ("\tif", ["\t", "if"]),
      ("?!;\n", ["?!;", "\n"]),
    ] as [(String, [String])])
  func gpt2CutsLikeItsExpression(text: String, expected: [String]) throws {
    #expect(try pieces(text, "gpt-2") == expected)
  }

  @Test(
    arguments: [
      ("abc 12  3x", ["abc", " ", "1", "2", "  ", "3", "x"]),
      ("a\n 1", ["a", "\n ", "1"]),
      ("'s'1s", ["'s", "'", "1", "s"]),
    ] as [(String, [String])])
  func smollmCutsDigitsOutFirst(text: String, expected: [String]) throws {
    #expect(try pieces(text, "smollm") == expected)
  }

  @Test func piecesCoverAnyText() throws {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("aZ'sSlLtvre 1٣ \n\r\t\u{A0}\u{301}世😀.,_\u{0}\u{17F}".unicodeScalars)
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
      }
      for name in ["lfm2", "qwen2", "gpt-2", "smollm"] {
        let pieces = try pieces(text, name)
        #expect(Array(pieces.joined().utf8) == Array(text.utf8))
        #expect(pieces.allSatisfy { !$0.isEmpty })
      }
    }
  }
}
