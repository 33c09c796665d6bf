import Foundation
import Grammar
import JSON
import Sampling
import Testing

/// What a grammar says of a whole text.
enum Verdict: Equatable {
  case whole
  /// A beginning of an answer, not one itself.
  case unfinished
  case refused(offset: Int)
}

extension Grammar {
  /// The verdict on a text given as bytes.
  func verdict(_ text: [UInt8]) -> Verdict {
    var matcher = GrammarMatcher(self, vocabulary: PieceVocabulary.bytes.trie)
    if let offset = matcher.accept(bytes: text) { return .refused(offset: offset) }
    return matcher.isComplete ? .whole : .unfinished
  }

  func verdict(_ text: String) -> Verdict { verdict(Array(text.utf8)) }

  /// The verdict by the masks of a vocabulary of bytes, as in generation.
  func maskVerdict(_ text: String) -> Verdict {
    var matcher = GrammarMatcher(self, vocabulary: PieceVocabulary.bytes.trie)
    var mask = TokenMask(count: PieceVocabulary.bytes.pieces.count)
    for (offset, byte) in text.utf8.enumerated() {
      _ = matcher.fill(&mask)
      let token = PieceVocabulary.id(of: byte)
      let isAllowed = mask.contains(token)
      guard matcher.accept(token) == isAllowed else { return .unfinished }
      if !isAllowed { return .refused(offset: offset) }
    }
    return matcher.isComplete ? .whole : .unfinished
  }

  static func canonical(_ schema: String) throws(GrammarError) -> Grammar {
    try Grammar(jsonSchema: schema, options: GrammarOptions(.canonical))
  }
}

extension GrammarOptions {
  init(_ whitespace: Whitespace, reasoning: Reasoning = .none) {
    self.init()
    self.whitespace = whitespace
    self.reasoning = reasoning
  }
}

/// Holds the grammar of a schema to texts it must take and texts it must refuse, in both kinds of
/// whitespace: the first with the bytes of the text, the second through masks. The texts are in
/// canonical spelling; `acceptsOnlyFlexibly` are spelled as only others would.
func expect(
  _ schema: String, accepts: [String] = [], acceptsOnlyFlexibly: [String] = [],
  rejects: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let flexible = try Grammar(jsonSchema: schema)
  let canonical = try Grammar.canonical(schema)
  for (index, text) in (accepts + acceptsOnlyFlexibly).enumerated() {
    let label = Comment(rawValue: "\(schema.prefix(300)) must take \(text.prefix(200))")
    #expect(flexible.verdict(text) == .whole, label, sourceLocation: sourceLocation)
    if index < accepts.count {
      #expect(canonical.maskVerdict(text) == .whole, label, sourceLocation: sourceLocation)
    }
    let fault = SchemaValidator(try JSONValue(parsing: schema)).fault(inText: Array(text.utf8))
    #expect(fault == nil, label, sourceLocation: sourceLocation)
  }
  for text in rejects {
    let label = Comment(rawValue: "\(schema.prefix(300)) must refuse \(text.prefix(200))")
    #expect(flexible.verdict(text) != .whole, label, sourceLocation: sourceLocation)
    #expect(canonical.maskVerdict(text) != .whole, label, sourceLocation: sourceLocation)
  }
}

/// The error with which a schema is refused; nil (and a failed expectation) if it is not.
func refusal(
  of schema: String, sourceLocation: SourceLocation = #_sourceLocation
) -> GrammarError? {
  do {
    _ = try Grammar(jsonSchema: schema)
    Issue.record("compiled: \(schema.prefix(200))", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

/// Whether the large counts are wanted.
let isLongRun = ProcessInfo.processInfo.environment["LEAP_LONG_TESTS"] == "1"

/// How much more time unoptimised code may take.
#if DEBUG
  let slowness = 20.0
#else
  let slowness = 1.0
#endif

/// Runs a closure on a thread with as little stack as the engine's callers may have.
func onSmallStack(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait()
}
