import Grammar
import JSON
import Tokenizer
import ToolCalls

/// The vocabulary as grammars need it, and the grammars of the last few schemas. Both are made when
/// the first constrained answer asks for them. Not thread-safe.
struct GrammarCache {
  enum Key: Hashable {
    case answer(OutputConstraint, GrammarOptions.Reasoning)
    case calls([JSONValue], ToolCallFormat)
  }

  private let tokenizer: Tokenizer
  private var knownVocabulary: GrammarVocabulary?
  /// The latest last.
  private var grammars: [(key: Key, grammar: Grammar)] = []

  private static let limit = 16
  /// Calls in one block: a model that keeps calling must come to an end.
  private static let mostCalls = 16

  init(tokenizer: Tokenizer) {
    self.tokenizer = tokenizer
  }

  mutating func vocabulary() -> GrammarVocabulary {
    if let knownVocabulary { return knownVocabulary }
    let vocabulary = GrammarVocabulary(count: tokenizer.vocabularySize) { [tokenizer] token in
      // Control tokens have no bytes, so that no text can contain them.
      tokenizer.bytes(of: token, special: false)
    }
    knownVocabulary = vocabulary
    return vocabulary
  }

  mutating func grammar(_ key: Key) throws(GenerationError) -> Grammar {
    if let index = grammars.firstIndex(where: { $0.key == key }) {
      grammars.append(grammars.remove(at: index))
      return grammars[grammars.count - 1].grammar
    }
    let grammar: Grammar
    do { grammar = try Self.compile(key) } catch { throw .grammar(error) }
    if grammars.count == Self.limit { grammars.removeFirst() }
    grammars.append((key, grammar))
    return grammar
  }

  private static func compile(_ key: Key) throws(GrammarError) -> Grammar {
    var options = GrammarOptions()
    // One spelling of the blanks: most of the punctuation is then forced.
    options.whitespace = .canonical
    switch key {
    case .answer(let constraint, let reasoning):
      options.reasoning = reasoning
      switch constraint {
      case .jsonSchema(let text): return try Grammar(jsonSchema: text, options: options)
      case .jsonObject: return Grammar.json(objectOnly: true, options: options)
      }
    case .calls(let tools, let format):
      return try Grammar(
        toolCalls: tools, dialect: format == .lfm ? .pythonic : .hermes,
        maximumCalls: Self.mostCalls, options: options)
    }
  }
}
