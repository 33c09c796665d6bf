import Grammar
import JSON
import Sampling
import TestSupport
import Testing

/// Random changes to schemas: each is refused with an error, or makes answers that validate; no
/// crash, no hang, on a small stack.
@Suite struct MutationTests {
  private static let keywords = [
    "type", "enum", "const", "properties", "required", "additionalProperties", "items",
    "prefixItems", "minItems", "maxItems", "minLength", "maxLength", "pattern", "format", "minimum",
    "maximum", "exclusiveMinimum", "exclusiveMaximum", "anyOf", "oneOf", "allOf", "$ref", "$defs",
    "multipleOf", "not", "uniqueItems",
  ]

  private static let pieces =
    [
      "string", "integer", "object", "array", "null", "date", "^a+$", "(", ")", "{", "}", "[", "]",
      "\\",
    ]
    + ["#", "#/$defs/node", "#/properties/a", "-", "1e9", "0", "-1", "1.5", "99999999999999999999"]
    + [
      "true", "false", ",", ":", "\"", "{}", "[]", "*", "+", "?", "{1,1000}", "|", "\\\\d", "é",
      "\u{0}",
    ]

  private static func mutated(_ schema: JSONValue, _ random: inout RandomSource) -> String {
    var text = schema.text()
    for _ in 0..<random.int(1...3) {
      switch random.int(0...3) {
      case 0:
        let old = random.pick(keywords)
        text = text.replacing(
          "\"\(old)\":", with: "\"\(random.pick(keywords))\":", maxReplacements: 1)
      case 1:
        var bytes = Array(text.utf8)
        guard !bytes.isEmpty else { break }
        bytes[random.int(0...bytes.count - 1)] ^= UInt8(1 << random.int(0...6))
        text = String(decoding: bytes, as: UTF8.self)
      default:
        var scalars = Array(text.unicodeScalars)
        let start = random.int(0...scalars.count)
        let end = min(scalars.count, start + random.pick([0, 0, 1, 2, 4]))
        scalars.replaceSubrange(start..<end, with: random.pick(pieces).unicodeScalars)
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        text = String(view)
      }
    }
    return text
  }

  @Test func changedSchemasEndInOrder() {
    let count = isLongRun ? 20_000 : 200
    nonisolated(unsafe) var compiled = 0
    nonisolated(unsafe) var finished = 0
    onSmallStack {
      var random = RandomSource(seed: 4)
      for number in 0..<UInt64(count) {
        let text = Self.mutated(SchemaGenerator.schema(seed: number), &random)
        let seconds = processorSeconds {
          guard let grammar = try? Grammar(jsonSchema: text) else { return }
          compiled += 1
          guard number % 3 == 0, let output = Self.answer(grammar, &random),
            let schema = try? JSONValue(parsing: text)
          else { return }
          finished += 1
          let fault = SchemaValidator(schema).fault(inText: output)
          #expect(fault == nil, "\(String(decoding: output, as: UTF8.self)) by \(text)")
        }
        #expect(seconds < 0.1 * slowness, "\(text)")
      }
    }
    #expect(compiled > count / 10)
    #expect(finished > count / 50)
    print("of \(count) changed schemas \(compiled) were taken; \(finished) answers are valid")
  }

  /// A short answer, if the dice let one end.
  private static func answer(_ grammar: Grammar, _ random: inout RandomSource) -> [UInt8]? {
    let vocabulary = PieceVocabulary.small
    var matcher = GrammarMatcher(grammar, vocabulary: vocabulary.trie)
    var mask = TokenMask(count: vocabulary.pieces.count)
    var text: [UInt8] = []
    for step in 0..<60 {
      let count = matcher.fill(&mask)
      if matcher.isComplete { return text }
      var token = mask.token(at: random.int(0...max(0, count - 1)))
      if step > 8, let end = vocabulary.closing.first(where: mask.contains) { token = end }
      guard let token, matcher.accept(token) else {
        Issue.record("a dead end behind \(String(decoding: text, as: UTF8.self))")
        return nil
      }
      text += vocabulary.pieces[Int(token)]
    }
    return nil
  }
}
