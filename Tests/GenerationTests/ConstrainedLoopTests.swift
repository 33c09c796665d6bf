import Grammar
import JSON
import Models
import Sampling
import Testing
import ToolCalls

@testable import Generation

/// Constraints in the loop, with a model that has a will of its own.
@Suite struct ConstrainedLoopTests {
  private let prompt = ByteVocabulary.tokens("prompt")
  private static let start: Int32 = 257
  private static let end: Int32 = 258

  /// A token per byte, an end of turn, and the markers of calls.
  private struct MarkerVocabulary: TokenVocabulary {
    let vocabularySize = 259
    let endOfGenerationTokens: Set<Int32> = [ByteVocabulary.end]
    let endOfTurnToken: Int32? = ByteVocabulary.end

    func shownBytes(of token: Int32) -> [UInt8] {
      switch token {
      case ConstrainedLoopTests.start: Array("<|tool_call_start|>".utf8)
      case ConstrainedLoopTests.end: Array("<|tool_call_end|>".utf8)
      default: token < 256 ? [UInt8(token)] : []
      }
    }

    func tokens(of text: String) -> [Int32] { ByteVocabulary.tokens(text) }
  }

  private let vocabulary = GrammarVocabulary(count: 259) { $0 < 256 ? [UInt8($0)] : nil }
  private let reading = ToolCallReading(
    format: .lfm, signatures: ToolSignatures(tools: []), markers: (start, end))

  private func grammar(
    _ schema: JSONValue, reasoning: GrammarOptions.Reasoning = .none
  ) throws -> Grammar {
    var options = GrammarOptions()
    options.whitespace = .canonical
    options.reasoning = reasoning
    return try Grammar(jsonSchema: schema, options: options)
  }

  private func rules(_ answer: Grammar?) -> TokenConstraint.Rules {
    TokenConstraint.Rules(vocabulary: vocabulary, answer: answer, tokens: MarkerVocabulary())
  }

  private func run(
    _ sequence: ScriptedSequence, _ rules: TokenConstraint.Rules?, insideReasoning: Bool = false,
    readsCalls: Bool = false, settings: GenerationSettings? = nil
  ) throws -> (result: GenerationResult, events: [GenerationEvent]) {
    var events: [GenerationEvent] = []
    let loop = GenerationLoop(
      settings: settings ?? GenerationSettings(sampling: SamplingOptions(temperature: 0)),
      vocabulary: MarkerVocabulary(), insideReasoning: insideReasoning,
      constraint: rules.map(TokenConstraint.init), toolCalls: readsCalls ? reading : nil)
    let result = try loop.run(
      prompt: prompt, on: sequence, shouldContinue: { true }, deliver: { events.append($0) })
    return (result, events)
  }

  /// Wants to write `reply` whatever came before, and goes on with it where it is let.
  private func stubborn(_ reply: String) -> ScriptedSequence {
    let bytes = Array(reply.utf8)
    return ScriptedSequence(vocabularySize: 259) { tokens in
      let written = tokens.dropFirst(6).map { UInt8(truncatingIfNeeded: $0) }
      // The longest tail of what is written that the reply starts with.
      let matched =
        (0...min(written.count, bytes.count)).last {
          Array(written.suffix($0)) == Array(bytes.prefix($0))
        } ?? 0
      return matched < bytes.count ? Int32(bytes[matched]) : ByteVocabulary.end
    }
  }

  private let person: JSONValue = [
    "type": "object",
    "properties": [
      "name": ["type": "string", "maxLength": 8], "age": ["type": "integer", "maximum": 99],
    ],
    "required": ["name", "age"],
  ]

  @Test func theAnswerFollowsTheSchemaWhateverTheModelWants() throws {
    let (result, _) = try run(stubborn("Hello!"), rules(try grammar(person)))
    let value = try JSONValue(parsing: result.text)
    #expect(value["name"]?.stringValue?.hasPrefix("Hello!") == true, "\(result.text)")
    #expect(value["age"]?.intValue != nil)
    #expect(result.finishReason == .endOfTurn)
  }

  @Test func whatHasNoAlternativeIsNeitherSampledNorEvaluatedAlone() throws {
    let sequence = stubborn("x")
    let (result, _) = try run(sequence, rules(try grammar(person)))
    // One evaluation per choice: the prompt, then the forced run in front of each free stretch.
    let free = result.text.utf8.count - #"{"name": "", "age": }"#.utf8.count
    #expect(sequence.evaluations.count <= free + 6)
    #expect(sequence.evaluations.dropFirst().contains { $0 >= #"{"name": ""#.utf8.count })
    // The prompt itself needs no logits: what follows it is certain.
    #expect(sequence.requests.first == LogitsRequest.none)
  }

  @Test func fewAllowedTokensAskForTheirLogitsOnly() throws {
    let sequence = stubborn("z")
    let schema: JSONValue = ["enum": ["ax", "bx", "cx"]]
    let (result, _) = try run(sequence, rules(try grammar(schema)))
    #expect([#""ax""#, #""bx""#, #""cx""#].contains(result.text))
    #expect(sequence.requests.contains(.selected([97, 98, 99])))
  }

  @Test func anAnswerThatCanOnlyEndNeedsNoFurtherEvaluation() throws {
    let sequence = stubborn("true")
    let (result, _) = try run(sequence, rules(try grammar(["const": true])))
    #expect(result.text == "true")
    #expect(result.tokens.last == ByteVocabulary.end)
    #expect(sequence.evaluations == [6])
  }

  @Test func limitsCutForcedRunsToo() throws {
    let settings = GenerationSettings(
      sampling: SamplingOptions(temperature: 0), maximumTokens: 5)
    let (result, _) = try run(stubborn("x"), rules(try grammar(person)), settings: settings)
    #expect(result.text == #"{"nam"#)
    #expect(result.finishReason == .maximumTokens)
  }

  @Test func aVocabularyThatCannotSpellTheAnswerIsReported() throws {
    var rules = rules(try grammar(["enum": ["é", "è"]]))
    rules.vocabulary = GrammarVocabulary(count: 259) { $0 < 128 ? [UInt8($0)] : nil }
    #expect(throws: GenerationError.self) { try run(stubborn("x"), rules) }
  }

  /// Writes x for ever wherever it may.
  private func rambling() -> ScriptedSequence {
    ScriptedSequence(vocabularySize: 259) { _ in Int32(UInt8(ascii: "x")) }
  }

  @Test(arguments: [30, 40, 60, 100, 200, 400])
  func
    aRamblingAnswerIsEndedWhileThereIsRoomForIt(limit: Int) throws
  {
    let schema: JSONValue = [
      "type": "object",
      "properties": [
        "title": ["type": "string"],
        "tags": ["type": "array", "items": ["type": "string"], "minItems": 1],
      ],
      "required": ["title", "tags"],
    ]
    for maximum in [true, false] {
      let settings = GenerationSettings(
        sampling: SamplingOptions(temperature: 0), maximumTokens: maximum ? limit : nil,
        contextLimit: maximum ? nil : limit + prompt.count)
      let (result, _) = try run(rambling(), rules(try grammar(schema)), settings: settings)
      let value = try JSONValue(parsing: result.text)
      #expect(value["tags"]?.arrayValue?.count == 1)
      #expect(result.finishReason == .endOfTurn)
      // The room is used, not given away.
      #expect(result.tokens.count <= limit && result.tokens.count > limit - 8)
    }
  }

  @Test func ramblingReasoningIsEndedToo() throws {
    let settings = GenerationSettings(
      sampling: SamplingOptions(temperature: 0), maximumTokens: 80)
    let rules = rules(try grammar(["enum": ["yes", "no"]], reasoning: .open))
    let (result, _) = try run(
      rambling(), rules, insideReasoning: true, settings: settings)
    #expect([#""yes""#, #""no""#].contains(result.text))
    #expect(result.reasoning?.hasPrefix("xxxx") == true)
    #expect(result.finishReason == .endOfTurn)
  }

  @Test func reasoningThatThePromptOpenedComesBeforeTheAnswer() throws {
    let rules = rules(try grammar(["enum": ["yes", "no"]], reasoning: .open))
    let (result, events) = try run(
      stubborn("hm, well</think>\n\n\"no\""), rules, insideReasoning: true)
    #expect(result.text == #""no""#)
    #expect(result.reasoning == "hm, well")
    #expect(
      events.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        == #""no""#)
  }

  @Test func aCallIsTakenOutOfTheText() throws {
    let reply =
      ByteVocabulary.tokens("Let me see. ") + [Self.start]
      + ByteVocabulary.tokens(#"[f(a="x]", b=2)]"#) + [Self.end] + ByteVocabulary.tokens(" Done.")
    let sequence = ScriptedSequence(vocabularySize: 259) { tokens in
      tokens.count - 6 < reply.count ? reply[tokens.count - 6] : ByteVocabulary.end
    }
    let (result, events) = try run(sequence, nil, readsCalls: true)
    #expect(result.text == "Let me see.  Done.")
    let calls = [ToolCall(name: "f", arguments: ["a": "x]", "b": 2])]
    #expect(result.toolCalls == calls)
    #expect(events.contains(.toolCalls(calls)))
    #expect(
      result.rawText
        == #"Let me see. <|tool_call_start|>[f(a="x]", b=2)]<|tool_call_end|> Done."#)
  }

  @Test func textThatSpellsAMarkerStaysText() throws {
    let reply = "`<|tool_call_start|>[f()]<|tool_call_end|>`"
    let sequence = ScriptedSequence(vocabularySize: 259) { tokens in
      let bytes = ByteVocabulary.tokens(reply)
      return tokens.count - 6 < bytes.count ? bytes[tokens.count - 6] : ByteVocabulary.end
    }
    let (result, _) = try run(sequence, nil, readsCalls: true)
    #expect(result.text == reply)
    #expect(result.toolCalls.isEmpty)
  }

  @Test func aMarkerInsideReasoningIsNoCall() throws {
    let reply =
      ByteVocabulary.tokens("<think>a ") + [Self.start] + ByteVocabulary.tokens("[f()]")
      + [Self.end] + ByteVocabulary.tokens("</think>no")
    let sequence = ScriptedSequence(vocabularySize: 259) { tokens in
      tokens.count - 6 < reply.count ? reply[tokens.count - 6] : ByteVocabulary.end
    }
    let (result, _) = try run(sequence, nil, readsCalls: true)
    #expect(result.toolCalls.isEmpty)
    #expect(result.text == "no")
    #expect(result.reasoning == "a <|tool_call_start|>[f()]<|tool_call_end|>")
  }

  @Test func aRequiredCallIsMadeAndParses() throws {
    let tool: JSONValue = [
      "name": "set",
      "parameters": [
        "type": "object", "properties": ["on": ["type": "boolean"]], "required": ["on"],
      ],
    ]
    var options = GrammarOptions()
    options.whitespace = .canonical
    var rules = rules(nil)
    rules.calls = try Grammar(
      toolCalls: [tool], dialect: .pythonic, maximumCalls: 3, options: options)
    rules.markers = (Self.start, Self.end)
    rules.requiresCall = true
    let (result, _) = try run(stubborn("I would rather not"), rules, readsCalls: true)
    // This model prefers the comma.
    #expect(result.toolCalls.map(\.name) == ["set", "set", "set"])
    #expect(result.toolCalls.allSatisfy { $0.arguments["on"]?.boolValue != nil })
    #expect(result.text.isEmpty)
    #expect(result.finishReason == .endOfTurn)
  }

  @Test func aCallMayTakeThePlaceOfAConstrainedAnswer() throws {
    let reply = [Self.start] + ByteVocabulary.tokens("[f()]") + [Self.end]
    var rules = rules(try grammar(person))
    rules.markers = (Self.start, Self.end)
    let sequence = ScriptedSequence(vocabularySize: 259) { tokens in
      tokens.count - 6 < reply.count ? reply[tokens.count - 6] : ByteVocabulary.end
    }
    let (result, _) = try run(sequence, rules, readsCalls: true)
    #expect(result.toolCalls == [ToolCall(name: "f", arguments: [:])])
    #expect(result.text.isEmpty && result.finishReason == .endOfTurn)
  }

  @Test func stopTextsDoNotCutCalls() throws {
    let reply =
      [Self.start] + ByteVocabulary.tokens(#"[f(a="STOP")]"#) + [Self.end]
      + ByteVocabulary.tokens("and STOP here")
    let sequence = ScriptedSequence(vocabularySize: 259) { tokens in
      tokens.count - 6 < reply.count ? reply[tokens.count - 6] : ByteVocabulary.end
    }
    let settings = GenerationSettings(
      sampling: SamplingOptions(temperature: 0), stops: ["STOP"])
    let (result, _) = try run(sequence, nil, readsCalls: true, settings: settings)
    #expect(result.toolCalls == [ToolCall(name: "f", arguments: ["a": "STOP"])])
    #expect(result.text == "and ")
  }
}
