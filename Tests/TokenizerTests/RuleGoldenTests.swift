import Foundation
import GGUF
import TestSupport
import Testing
import Tokenizer

/// The bundled model's vocabulary under each way of cutting text, against ids of the Hugging Face
/// library.
@Suite struct RuleGoldenTests {
  struct Golden: Decodable {
    struct Rule: Decodable {
      let parsed: [[Int32]]
      /// By index of the text, only where different.
      let plain: [String: [Int32]]
    }
    let texts: [String]
    let rules: [String: Rule]
  }

  @Test(arguments: ["lfm2", "qwen2", "gpt-2", "smollm"])
  func everyTextHasItsIDs(rule: String) throws {
    let url = Fixtures.bundled("tokenizer/rules.json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    let expected = try #require(golden.rules[rule])
    var vocabulary = try Vocabulary(TinyChat.file().metadata)
    vocabulary.preTokenizer = rule
    let tokenizer = try Tokenizer(vocabulary)
    #expect(golden.texts.count == expected.parsed.count)
    for (index, text) in golden.texts.enumerated() {
      let ids = expected.parsed[index]
      #expect(tokenizer.encode(text, special: .parse) == ids, "\(text.debugDescription)")
      let plain = expected.plain["\(index)"] ?? ids
      #expect(tokenizer.encode(text) == plain, "\(text.debugDescription) plain")
      #expect(Array(tokenizer.decode(plain).utf8) == Array(text.utf8))
    }
  }
}
