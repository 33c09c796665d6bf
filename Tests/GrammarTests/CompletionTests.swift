import Grammar
import JSON
import Sampling
import Testing

/// Answers that are brought to an end, and matchers that forget what they no longer need.
@Suite struct CompletionTests {
  private static let vocabulary = PieceVocabulary.small

  @Test func completionsMakeValidAnswersFromAnywhere() throws {
    for seed in 0..<UInt64(isLongRun ? 300 : 25) {
      let schema = SchemaGenerator.schema(seed: seed)
      let validator = SchemaValidator(schema)
      let whitespace: GrammarOptions.Whitespace = seed % 2 == 0 ? .canonical : .flexible
      var matcher = GrammarMatcher(
        try Grammar(jsonSchema: schema, options: GrammarOptions(whitespace)),
        vocabulary: Self.vocabulary.trie)
      var random = RandomSource(seed: seed)
      var mask = TokenMask(count: Self.vocabulary.pieces.count)
      var text: [UInt8] = []
      for _ in 0..<8 {
        let count = matcher.fill(&mask)
        guard count > 0, let token = mask.token(at: random.int(0...count - 1)) else { break }
        let tail = Self.vocabulary.pieces[Int(token)]
        let label = "\(String(decoding: text + tail, as: UTF8.self)) \(schema.text())"
        if let completion = matcher.completion(after: tail, limit: 4_000) {
          #expect(validator.fault(inText: text + tail + completion) == nil, "\(label)")
        } else {
          Issue.record("no completion of \(label)")
        }
        let isRefused = matcher.completion(after: tail + [0], limit: 4_000) == nil
        #expect(isRefused)
        var again = TokenMask(count: mask.count)
        _ = matcher.fill(&again)
        #expect(again == mask, "moved: \(label)")
        guard matcher.accept(token) else { break }
        text += tail
      }
    }
  }

  @Test func completionsKeepTheirLimit() throws {
    let grammar = try Grammar.canonical(#"{"type":"string","minLength":100}"#)
    var matcher = GrammarMatcher(grammar, vocabulary: PieceVocabulary.bytes.trie)
    let long = matcher.completion(after: [], limit: 102)
    #expect(long?.count == 102)
    let short = matcher.completion(after: [], limit: 101)
    #expect(short == nil)
  }

  /// More states than are kept: what is needed outlives the rest.
  @Test(arguments: [6_000, 6_001])
  func longTextsAreFollowedWithinBoundedMemory(_ length: Int) throws {
    let grammar = try Grammar(
      jsonSchema:
        #"{"type":"array","items":{"type":"string","pattern":"^(ab)*$","maxLength":6000}}"#)
    var matcher = GrammarMatcher(grammar, vocabulary: Self.vocabulary.trie)
    let text = String(String(repeating: "ab", count: 3_001).prefix(length))
    #expect(matcher.accept(bytes: "[\"\(text.prefix(5_000))".utf8) == nil)
    var mask = TokenMask(count: Self.vocabulary.pieces.count)
    _ = matcher.fill(&mask)
    #expect(mask.contains(PieceVocabulary.id(of: UInt8(ascii: "a"))))
    #expect(!mask.contains(PieceVocabulary.id(of: UInt8(ascii: "b"))))
    let refused = matcher.accept(bytes: "\(text.dropFirst(5_000))\"]".utf8)
    #expect(refused == (length == 6_000 ? nil : 1_000))
    #expect(matcher.isComplete == (length == 6_000))
  }

  @Test func manyMasksAreMadeWithinBoundedMemory() throws {
    // Every place of a long enumeration has a mask of its own.
    var random = RandomSource(seed: 3)
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let words: [String] = (0..<60).map { _ in
      String((0..<30).map { _ in random.pick(letters) })
    }
    let schema: JSONValue = ["type": "array", "items": ["enum": .array(words.map { .string($0) })]]
    let grammar = try Grammar(jsonSchema: schema)
    var matcher = GrammarMatcher(grammar, vocabulary: PieceVocabulary.bytes.trie)
    var mask = TokenMask(count: PieceVocabulary.bytes.pieces.count)
    for byte in JSONValue.array(words.map { .string($0) }).text(style: .python).utf8 {
      _ = matcher.fill(&mask)
      #expect(mask.contains(PieceVocabulary.id(of: byte)))
      guard matcher.accept(PieceVocabulary.id(of: byte)) else { break }
    }
    #expect(matcher.isComplete)
    #expect(grammar.ruleCount > 0 && grammar.stateCount > 1_000)
  }
}
