import Testing

@testable import Tokenizer

/// On a made vocabulary whose ids can be worked out by hand.
@Suite struct EncodeTests {
  private let tokenizer: Tokenizer

  init() throws { tokenizer = try Tokenizer(TestVocabulary.make()) }

  private func id(_ text: String) throws -> Int32 { try #require(tokenizer.id(of: text)) }

  @Test func mergesApplyByRankThenFromTheLeft() throws {
    // "a b" comes before "b c", so abc is ab + c.
    #expect(try tokenizer.encode("abc") == [id("ab"), id("c")])
    #expect(try tokenizer.encode("bc") == [id("bc")])
    #expect(try tokenizer.encode("hello") == [id("hell"), id("o")])
    #expect(try tokenizer.encode("lll") == [id("ll"), id("l")])
    #expect(tokenizer.encode("") == [])
  }

  @Test func bytesWithoutMergesAreTokens() {
    #expect(tokenizer.encode("é世") == TestVocabulary.bytes("é世"))
    let everything = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
    #expect(tokenizer.decode(tokenizer.encode(everything)) == everything)
  }

  @Test func wholePiecesAreTakenOnlyWhereTheModelDoes() throws {
    // "xyz" is a token that no merge makes.
    var vocabulary = TestVocabulary.make(extra: [("xyz", .normal)])
    let whole = try Tokenizer(vocabulary)
    #expect(whole.encode("xyz") == [try #require(whole.id(of: "xyz"))])
    vocabulary.preTokenizer = "qwen2"
    #expect(try Tokenizer(vocabulary).encode("xyz") == TestVocabulary.bytes("xyz"))
  }

  @Test func longestSpecialTokenWins() throws {
    let tokenizer = try Tokenizer(
      TestVocabulary.make(extra: [
        ("<think>hard", .userDefined), ("<thi", .userDefined), ("e\u{301}", .userDefined),
      ]))
    func id(_ text: String) throws -> Int32 { try #require(tokenizer.id(of: text)) }
    #expect(try tokenizer.encode("<think>hard") == [id("<think>hard")])
    #expect(try tokenizer.encode("<think>har") == [id("<think>")] + TestVocabulary.bytes("har"))
    #expect(try tokenizer.encode("<thin") == [id("<thi")] + TestVocabulary.bytes("n"))
    #expect(try tokenizer.encode("<thi") == [id("<thi")])
    #expect(try tokenizer.encode("<think><think>") == [id("<think>"), id("<think>")])
    #expect(try tokenizer.encode("ae\u{301}") == TestVocabulary.bytes("a") + [id("e\u{301}")])
    #expect(tokenizer.encode("\u{E9}") == TestVocabulary.bytes("\u{E9}"))
  }

  @Test func controlTokensNeedParsing() {
    #expect(tokenizer.encode("<|im_end|>", special: .parse) == [TestVocabulary.end])
    #expect(tokenizer.encode("<|im_end|>") == TestVocabulary.bytes("<|im_end|>"))
    #expect(tokenizer.encode("<think>") == [TestVocabulary.think])
    #expect(tokenizer.decode([TestVocabulary.end, TestVocabulary.think]) == "<think>")
    #expect(tokenizer.decode([TestVocabulary.end], special: true) == "<|im_end|>")
  }

  @Test func noMergeMakesAControlToken() throws {
    let tokenizer = try Tokenizer(
      TestVocabulary.make(merges: ["a b"], extra: [("xy", .control)])
        .adding(merges: ["x y", "ab q", "q ab"]))
    #expect(tokenizer.encode("xy") == TestVocabulary.bytes("xy"))
    #expect(tokenizer.encode("abq") == [try #require(tokenizer.id(of: "ab")), 3 + 0x71])
    #expect(tokenizer.encode("xy", special: .parse) == [tokenizer.id(of: "xy")])
  }

  @Test func beginOfTextIsAddedOnce() {
    #expect(tokenizer.encode("ab", addBOS: true).first == TestVocabulary.bos)
    #expect(tokenizer.encode("", addBOS: true) == [TestVocabulary.bos])
    #expect(
      tokenizer.encode("<|startoftext|>", special: .parse, addBOS: true) == [TestVocabulary.bos])
    #expect(
      tokenizer.encode("<|startoftext|>", addBOS: true)
        == [TestVocabulary.bos] + TestVocabulary.bytes("<|startoftext|>"))
  }

  @Test func runsAreOneTextWithControlTokensOnlyFromTheTemplate() throws {
    let ids = tokenizer.encode([
      TextRun(text: "<|im_", isTemplate: true), TextRun(text: "", isTemplate: false),
      TextRun(text: "end|>a", isTemplate: true), TextRun(text: "b<|im_end|>", isTemplate: false),
      TextRun(text: "<|im_end|>", isTemplate: true),
    ])
    let expected =
      try [TestVocabulary.end, id("ab")] + TestVocabulary.bytes("<|im_end|>")
      + [TestVocabulary.end]
    #expect(ids == expected)
    #expect(tokenizer.encode([TextRun]()) == [])
  }

  @Test func canonicallyEquivalentTokensStayApart() throws {
    let tokenizer = try Tokenizer(
      TestVocabulary.make(extra: [("\u{E9}\u{E9}", .normal), ("e\u{301}", .userDefined)])
        .adding(merges: ["\u{E9} \u{E9}"]))
    let first = try #require(tokenizer.id(of: "\u{E9}\u{E9}"))
    let second = try #require(tokenizer.id(of: "e\u{301}"))
    #expect(first != second)
    let both = try Tokenizer(
      TestVocabulary.make(extra: [("\u{1E9}", .userDefined), ("\u{1E8}\u{30C}", .userDefined)]))
    #expect(both.id(of: "\u{1E9}") != both.id(of: "\u{1E8}\u{30C}"))
  }

  @Test func bytesWithoutATokenAreLeftOutBeforeMerging() throws {
    var vocabulary = TestVocabulary.make()
    // The token of "-" becomes another one.
    let dash = TestVocabulary.firstByte + 0x2D
    var tokens = ByteStrings()
    for id in 0..<vocabulary.tokens.count {
      tokens.append(id == dash ? Array("[gone]".utf8)[...] : vocabulary.tokens[id])
    }
    vocabulary.tokens = tokens
    vocabulary.preTokenizer = "gpt-2"
    let tokenizer = try Tokenizer(vocabulary)
    #expect(tokenizer.encode("a-b") == TestVocabulary.bytes("ab"))
    #expect(tokenizer.encode("--") == [])
  }

  @Test func idsOutsideTheVocabularyAreHarmless() {
    for id in [-1, Int32(tokenizer.vocabularySize), .max, .min] {
      #expect(tokenizer.bytes(of: id) == [])
      #expect(tokenizer.text(of: id) == nil)
      #expect(tokenizer.kind(of: id) == nil)
    }
    #expect(tokenizer.decode([-5, 3 + 0x61, .max]) == "a")
    #expect(tokenizer.id(of: "no such token") == nil)
  }

  @Test func paddingStandsForNothing() throws {
    let tokenizer = try Tokenizer(TestVocabulary.make(extra: [("[PAD]", .unused)]))
    let pad = try #require(tokenizer.id(of: "[PAD]"))
    #expect(tokenizer.bytes(of: pad, special: true) == [])
    #expect(tokenizer.encode("[PAD]", special: .parse) == TestVocabulary.bytes("[PAD]"))
  }

  @Test func turnEndsAreFoundByTextAndCannotComeFromUserText() throws {
    let tokenizer = try Tokenizer(
      TestVocabulary.make(extra: [
        ("<|endoftext|>", .control), ("<|eot_id|>", .userDefined), ("</s>", .normal),
      ]))
    let eot = try #require(tokenizer.id(of: "<|eot_id|>"))
    #expect(
      tokenizer.endOfGenerationTokens == [
        TestVocabulary.end, try #require(tokenizer.id(of: "<|endoftext|>")), eot,
      ])
    #expect(tokenizer.kind(of: eot) == .control)
    #expect(!tokenizer.encode("<|eot_id|>").contains(eot))
  }

  @Test func beginOfTextFollowsTheFileThenThePreTokenizer() throws {
    for (name, byDefault) in [("lfm2", true), ("qwen2", false), ("smollm", false)] {
      var vocabulary = TestVocabulary.make()
      vocabulary.preTokenizer = name
      #expect(try Tokenizer(vocabulary).addsBOS == byDefault)
      vocabulary.addsBOS = !byDefault
      #expect(try Tokenizer(vocabulary).addsBOS == !byDefault)
    }
  }

  @Test func invalidBytesBecomeReplacementCharacters() {
    let cases: [([UInt8], String)] = [
      ([0xFF], "\u{FFFD}"), ([0xC3], "\u{FFFD}"), ([0xE4, 0xB8], "\u{FFFD}"),
      ([0xE4, 0xB8, 0x41], "\u{FFFD}A"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF0, 0x9F, 0x98], "\u{FFFD}"), ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
      ([0x61, 0x80, 0x62], "a\u{FFFD}b"),
    ]
    for (bytes, text) in cases {
      #expect(tokenizer.encode(bytes: bytes) == tokenizer.encode(text), "\(bytes)")
    }
  }
}

extension Vocabulary {
  func adding(merges texts: [String]) -> Vocabulary {
    var copy = self
    for text in texts { copy.merges.append(text.utf8) }
    return copy
  }
}
