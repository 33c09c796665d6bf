/// How a schema becomes a grammar.
public struct GrammarOptions: Sendable, Equatable {
  /// The blanks between the tokens of JSON.
  public enum Whitespace: Sendable {
    /// Up to 80 blanks, tabs and line ends in each gap: for judging texts that others wrote.
    case flexible
    /// Exactly `", "` and `": "`, and none anywhere else: for generation, as most punctuation is then
    /// known beforehand.
    case canonical
  }

  /// What may come in front of the answer.
  public enum Reasoning: Sendable {
    case none
    /// `<think>…</think>` and blanks may come first.
    case optional
    /// The text starts inside the thinking; the answer comes behind `</think>` and blanks.
    case open
  }

  public var whitespace = Whitespace.flexible
  public var reasoning = Reasoning.none
  /// Schemas nested deeper than this are refused; at most 128.
  public var depthLimit = 100

  public init() {}
}
