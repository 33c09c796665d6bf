/// What a file says about its tokenizer, unchecked; `Tokenizer` checks it.
public struct Vocabulary: Sendable {
  /// The text of each token, by id: for ordinary tokens in the byte alphabet of GPT-2.
  public var tokens = ByteStrings()
  /// A `TokenKind` raw value per token.
  public var kinds: [Int] = []
  /// Pairs of token texts with a space between them, the first to be merged first.
  public var merges = ByteStrings()
  /// The name of the rule that cuts text into pieces.
  public var preTokenizer = ""
  public var bosToken: Int?
  public var eosToken: Int?
  /// Further tokens that end a generation, by the key that names them.
  public var endTokens: [String: Int] = [:]
  /// Whether raw text starts with `bosToken`; nil leaves it to the pre-tokenizer's convention.
  public var addsBOS: Bool?

  public init() {}
}
