import Grammar
import JSON
import Testing

/// What may come in front of the answer, and grammars of JSON as such.
@Suite struct ReasoningTests {
  private static let schema =
    #"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#
  private static let answer = #"{"a": 1}"#

  private func grammar(_ reasoning: GrammarOptions.Reasoning) throws -> Grammar {
    try Grammar(
      jsonSchema: Self.schema, options: GrammarOptions(.canonical, reasoning: reasoning))
  }

  @Test func withoutReasoningTheAnswerComesAtOnce() throws {
    let grammar = try grammar(.none)
    #expect(grammar.verdict(Self.answer) == .whole)
    for text in ["<think></think>\(Self.answer)", "\n\(Self.answer)", "Sure: \(Self.answer)"] {
      #expect(grammar.verdict(text) == .refused(offset: 0))
    }
  }

  @Test(arguments: [
    "", "hm", "\n{\"a\": \"b\" ]\n", "a < b </thin </ think> <think>", "é😀\\\"", "<", "</think",
    "<</think",
  ])
  func thoughtsMayHoldAnything(_ thoughts: String) throws {
    let optional = try grammar(.optional)
    let open = try grammar(.open)
    for blanks in ["", "\n\n"] {
      let ending = "\(thoughts)</think>\(blanks)\(Self.answer)"
      #expect(optional.verdict("<think>\(ending)") == .whole, "\(ending)")
      #expect(optional.maskVerdict("<think>\(ending)") == .whole, "\(ending)")
      #expect(open.verdict(ending) == .whole, "\(ending)")
      #expect(open.maskVerdict(ending) == .whole, "\(ending)")
    }
    #expect(optional.verdict("<think>\(thoughts)") == .unfinished)
    #expect(open.verdict(thoughts) == .unfinished)
    #expect(open.verdict("\(thoughts)</think>") == .unfinished)
    #expect(open.verdict("\(thoughts)</think>{\"a\": \"b\"") != .unfinished)
  }

  @Test func optionalReasoningMayBeLeftOut() throws {
    let grammar = try grammar(.optional)
    #expect(grammar.verdict(Self.answer) == .whole)
    #expect(grammar.verdict("<thin>\(Self.answer)") == .refused(offset: 5))
    #expect(grammar.verdict("</think>\(Self.answer)") != .whole)
    #expect(grammar.verdict("<think>a</think>b\(Self.answer)") != .whole)
    #expect(grammar.verdict("<think>a</think><think>b</think>\(Self.answer)") != .whole)
  }

  @Test func anAnswerInsideOpenThoughtsIsNoAnswer() throws {
    let grammar = try grammar(.open)
    #expect(grammar.verdict(Self.answer) == .unfinished)
    #expect(grammar.verdict("\(Self.answer)</think>\(Self.answer)") == .whole)
  }

  @Test func thoughtsAreWellFormedText() throws {
    let grammar = try grammar(.open)
    for bytes: [UInt8] in [[0x80], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE5, 0x61]] {
      #expect(grammar.verdict(bytes) != .unfinished)
    }
  }

  @Test func anyJSONMayBeAskedFor() {
    let any = Grammar.json(objectOnly: false)
    let object = Grammar.json(objectOnly: true)
    for text in ["{}", #"{"a": [1, {"b": "c"}], "a b": null}"#, "{\n\t\"x\": -1.5e3\r\n}"] {
      #expect(any.verdict(text) == .whole && object.verdict(text) == .whole, "\(text)")
    }
    for text in ["[]", "1", "null", #""a""#] {
      #expect(any.verdict(text) == .whole && object.verdict(text) != .whole, "\(text)")
    }
    for text in ["", "{", "nope", #"{"a": 1]"#, "[1, 2"] {
      #expect(any.verdict(text) != .whole && object.verdict(text) != .whole, "\(text)")
    }
  }
}
