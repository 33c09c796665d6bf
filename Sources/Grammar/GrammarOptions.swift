/// How a schema becomes a grammar.
public struct GrammarOptions: Sendable, Equatable {
  /// The blanks between the tokens of JSON.
  public enum Whitespace: Sendable { case flexible, canonical }

  public var whitespace = Whitespace.flexible

  public init() {}
}
