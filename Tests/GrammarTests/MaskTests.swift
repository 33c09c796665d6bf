import Grammar
import JSON
import Sampling
import Testing

@Suite struct MaskTests {
  static let texts = [
    "true", "null", "\": \"", "\", \"", "{\"", "\"}", "},", "]}", ", ", "ab", "abc", "abcd", "é",
    "éa",
    "é😀", "\\n", "\\u00", "\\\"", "\"a", "a\"", "a\": ", "name", "\"name\": ", "12", "2024-",
    "02-29",
    "0.5", "-1", "1e", "[1", "1, ", "Größe", "\u{7F}x", "\t", "  ", "</think>", "<think>", "k>\n{",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "abc",
  ]

  static let schemas = [
    "true",
    #"{"type":"string","maxLength":5}"#,
    #"{"type":"string","minLength":3,"maxLength":200}"#,
    #"{"type":"string","pattern":"^[a-cé]{2,90}$"}"#,
    #"{"type":"string","pattern":"ab","maxLength":100}"#,
    #"{"type":"string","pattern":"^(abc)*$","minLength":4,"maxLength":8}"#,
    #"{"type":"string","format":"date"}"#,
    #"{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":40}"#,
    #"{"type":"array","items":{"type":"integer","minimum":-5,"maximum":120},"maxItems":3}"#,
    #"{"properties":{"a":{"enum":["ab","abc",1]},"name":{"type":"string"}},"required":["name"]}"#,
    #"{"properties":{"name":{}},"additionalProperties":{"type":"integer"}}"#,
    #"{"anyOf":[{"type":"string"},{"const":"abcd"},{"type":"string","maxLength":2}]}"#,
    ##"{"$defs":{"t":{"properties":{"name":{"$ref":"#/$defs/t"}}}},"$ref":"#/$defs/t"}"##,
    #"{"type":"number","exclusiveMinimum":-1.25,"maximum":12.5}"#,
    #"{"type":"integer","multipleOf":7}"#,
  ]

  /// The mask holds a token exactly if a copy of the matcher accepts it.
  @Test(arguments: schemas, [GrammarOptions.Whitespace.canonical, .flexible])
  func masksAgreeWithTryingEveryToken(
    schema: String, whitespace: GrammarOptions.Whitespace
  ) throws {
    var options = GrammarOptions()
    options.whitespace = whitespace
    let grammar = try Grammar(jsonSchema: schema, options: options)
    let vocabulary = vocabulary(Self.texts)
    for seed in 1...2 {
      var random = TestRandom(state: UInt64(seed))
      var matcher = GrammarMatcher(grammar, vocabulary: vocabulary)
      var mask = TokenMask(count: 0)
      for _ in 0..<10 {
        let count = matcher.fill(&mask)
        #expect(mask.count == vocabulary.count)
        let judge = matcher
        let allowed = (0..<Int32(vocabulary.count)).filter { token in
          var copy = judge
          return copy.accept(token)
        }
        #expect((0..<Int32(vocabulary.count)).filter(mask.contains) == allowed)
        #expect(count == allowed.count)
        // Something can follow, or the text is whole.
        #expect(count > 0 || matcher.isComplete)
        #expect(matcher.mustEnd == (count == 0))
        let forced = matcher.forcedBytes()
        if let first = forced.first { #expect(matcher.possibleBytes() == [first]) }
        guard let token = allowed.randomElement(using: &random) else { break }
        #expect(matcher.accept(token) == true)
      }
    }
  }

  @Test func tokensWithoutTextAreNeverAllowed() throws {
    let vocabulary = GrammarVocabulary(count: 4) { id in [nil, [], [0x31], [0x31]][Int(id)] }
    var matcher = GrammarMatcher(
      try Grammar(jsonSchema: #"{"type":"integer"}"#), vocabulary: vocabulary)
    var mask = TokenMask(count: 4)
    #expect(matcher.fill(&mask) == 2)
    #expect(mask.contains(2) && mask.contains(3))
    var accepted: [Bool] = []
    for token in [0, 1, 9, -1, 3] as [Int32] { accepted.append(matcher.accept(token)) }
    #expect(accepted == [false, false, false, false, true])
  }

  @Test func aVocabularyThatCannotSpellTheAnswerGivesAnEmptyMask() throws {
    let vocabulary = GrammarVocabulary(count: 1) { _ in [0x78] }
    var matcher = GrammarMatcher(
      try Grammar(jsonSchema: #"{"type":"integer"}"#), vocabulary: vocabulary)
    var mask = TokenMask(count: 1)
    #expect(matcher.fill(&mask) == 0)
    #expect(!matcher.isComplete)
  }

  @Test func longerTokensAreFoundWhereTheyAreAllowed() throws {
    let vocabulary = vocabulary(["ab", "abc", "xyz"])
    var matcher = GrammarMatcher(
      try Grammar(jsonSchema: #"{"enum":["abx","xy"]}"#), vocabulary: vocabulary)
    #expect(matcher.accept(bytes: "\"".utf8) == nil)
    func mayExtend(_ tail: String) -> Bool { matcher.mayExtend(Array(tail.utf8)) }
    #expect(mayExtend("a") == true)
    #expect(mayExtend("ab") == false)
    #expect(mayExtend("xy") == false)
    #expect(mayExtend("q") == false)
    #expect(matcher.accept(bytes: "abx\"".utf8) == nil)
  }

  @Test func longListsKeepTheirMemoryFlat() throws {
    let grammar = try Grammar(
      jsonSchema: #"{"type":"array","items":{"type":"number"},"minItems":10,"maxItems":1000}"#)
    var matcher = GrammarMatcher(grammar, vocabulary: vocabulary())
    #expect(matcher.accept(bytes: "[0".utf8) == nil)
    for _ in 1..<1000 { #expect(matcher.accept(bytes: ",0.5".utf8) == nil) }
    #expect(matcher.accept(bytes: ",".utf8) == 0)
    #expect(matcher.accept(bytes: "]".utf8) == nil)
    #expect(matcher.isComplete)
  }
}
