import Testing

@testable import Grammar

@Suite struct TrieTests {
  @Test func everyTokenLiesAtTheEndOfItsBytes() {
    var random = TestRandom(state: 7)
    let texts = (0..<500).map { _ in
      (0..<Int.random(in: 0...12, using: &random)).map { _ in
        UInt8.random(in: 0...3, using: &random) &* 85
      }
    }
    let vocabulary = GrammarVocabulary(count: texts.count) { texts[Int($0)] }
    let trie = vocabulary.trie
    var path: [UInt8] = []
    var seen: [Int32] = []
    for (index, node) in trie.nodes.enumerated() {
      path.removeLast(path.count - Int(node.depth))
      path.append(node.byte)
      let tokens = trie.tokens(at: index)
      #expect(node.endsToken == !tokens.isEmpty)
      for token in tokens { #expect(texts[Int(token)] == path) }
      seen += tokens
      #expect(trie.nodes(below: path) == (index + 1)..<Int(node.end))
    }
    #expect(Set(seen) == Set((0..<Int32(texts.count)).filter { !texts[Int($0)].isEmpty }))
    #expect(seen.count == Set(seen).count)
  }

  @Test func plainTokensAreWholeScalarsWithoutEscapes() {
    let texts = ["a", "é😀", "a\"", "\\", "a\n", "\u{7F}", String(repeating: "ü", count: 60), "ab"]
    let broken: [UInt8] = [0xC3]
    let vocabulary = GrammarVocabulary(count: texts.count + 1) { id in
      Int(id) < texts.count ? Array(texts[Int(id)].utf8) : broken
    }
    #expect(vocabulary.plainTokens.words(atMost: 1) == [0b0010_0001])
    #expect(vocabulary.plainTokens.words(atMost: 59) == [0b1010_0011])
    #expect(vocabulary.plainTokens.words(atMost: 60) == [0b1110_0011])
    #expect(vocabulary.otherTrie.tokens.sorted() == [2, 3, 4, 8])
  }
}
