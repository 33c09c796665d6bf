import Grammar
import JSON
import Testing

/// An answer that follows a `oneOf` must fit one branch only, so the branches must exclude each
/// other.
@Suite struct OneOfTests {
  @Test(arguments: [
    (#"{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}"#, #""a""#),
    (#"{"oneOf":[{"const":1},{"enum":[2,"x"]}]}"#, "2"),
    (#"{"oneOf":[{"type":"integer","maximum":3},{"type":"integer","minimum":4}]}"#, "4"),
    (#"{"oneOf":[{"type":"number","exclusiveMaximum":3},{"type":"number","minimum":3}]}"#, "3"),
    (#"{"oneOf":[{"type":"string","maxLength":2},{"type":"string","minLength":3}]}"#, #""abc""#),
    (
      #"{"oneOf":[{"type":"array","maxItems":1},{"type":"array","minItems":2,"items":{"type":"null"}}]}"#,
      "[null,null]"
    ),
    (
      #"{"oneOf":[{"properties":{"a":{"type":"integer"}},"required":["a"],"type":"object"},{"properties":{"b":{"type":"integer"}},"required":["b"],"type":"object"}]}"#,
      #"{"b":1}"#
    ),
    (
      #"{"type":"object","properties":{"kind":{"type":"string"}},"oneOf":[{"properties":{"kind":{"const":"x"}},"required":["kind"]},{"properties":{"kind":{"enum":["y","z"]}},"required":["kind"]}]}"#,
      #"{"kind":"z"}"#
    ),
    (
      ##"{"$defs":{"A":{"type":"object","properties":{"t":{"const":"a"}},"required":["t"]},"B":{"type":"object","properties":{"t":{"const":"b"}},"required":["t"]}},"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}"##,
      #"{"t":"b"}"#
    ),
  ]) func branchesThatExcludeEachOtherAreTaken(schema: String, text: String) throws {
    let grammar = try Grammar(jsonSchema: schema)
    var matcher = GrammarMatcher(grammar, vocabulary: GrammarVocabulary(count: 0) { _ in nil })
    #expect(matcher.accept(bytes: text.utf8) == nil)
    #expect(matcher.isComplete)
  }

  @Test(arguments: [
    #"{"oneOf":[{"enum":[1,2]},{"enum":[2,3]}]}"#, #"{"oneOf":[{"enum":[1]},{"enum":[1.0]}]}"#,
    #"{"oneOf":[{"type":"integer"},{"type":"number","minimum":0}]}"#,
    // Without a type, the second says nothing about strings.
    #"{"oneOf":[{"type":"string"},{"minimum":0}]}"#,
    #"{"oneOf":[{"type":"string"},{"type":"string","pattern":"^a$"}]}"#,
    #"{"oneOf":[{"type":"integer","maximum":3},{"type":"integer","minimum":3}]}"#,
    #"{"oneOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"object","properties":{"b":{"type":"integer"}}}]}"#,
    #"{"oneOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a"]}]}"#,
    #"{"oneOf":[{"type":"boolean"},true]}"#,
  ]) func branchesThatMayOverlapAreRefused(schema: String) {
    #expect {
      try Grammar(jsonSchema: schema)
    } throws: { error in
      guard let error = error as? GrammarError else { return false }
      return error.path == "$" && error.keyword == "oneOf"
    }
  }
}
