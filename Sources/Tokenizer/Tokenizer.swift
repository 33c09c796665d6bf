import GGUF

/// Byte-level BPE: turns text into token ids and back. Immutable, so safe to share.
public final class Tokenizer: Sendable {
  /// More tokens than any model has; keeps ids and ranks well inside 32 bits.
  static let sizeLimit = 1 << 24
  /// The longest run of bytes that is merged as one.
  static let pieceLimit = 1 << 30

  public let vocabularySize: Int
  /// The token that begins a text.
  public let bosToken: Int32?
  /// The token that ends a text or turn.
  public let eosToken: Int32?
  /// Whether raw text should be encoded with `addBOS`. (Chat templates write the token themselves.)
  public let addsBOS: Bool
  /// The tokens after which a generation is over.
  public let endOfGenerationTokens: Set<Int32>

  let tokens: ByteStrings
  let kinds: [TokenKind]
  let index: TokenIndex
  let merges: MergeTable
  /// The token of each byte, nil where there is none.
  let byteTokens: [Int32?]
  let preTokenizer: PreTokenizer
  let specialTokens: SpecialTokenMatcher

  /// Reads the tokenizer of a model file.
  public convenience init(_ file: GGUFFile) throws(TokenizerError) {
    try self.init(metadata: file.metadata)
  }

  /// Reads the `tokenizer.ggml.*` keys of a file's metadata.
  public convenience init(metadata: GGUFMetadata) throws(TokenizerError) {
    try self.init(Vocabulary(metadata))
  }

  public init(_ vocabulary: Vocabulary) throws(TokenizerError) {
    guard let preTokenizer = PreTokenizer.named(vocabulary.preTokenizer) else {
      throw .unsupportedPreTokenizer(vocabulary.preTokenizer)
    }
    let tokens = vocabulary.tokens
    self.preTokenizer = preTokenizer
    self.tokens = tokens
    vocabularySize = tokens.count
    bosToken = try vocabulary.checkedID(vocabulary.bosToken, key: Vocabulary.key("bos_token_id"))
    eosToken = try vocabulary.checkedID(vocabulary.eosToken, key: Vocabulary.key("eos_token_id"))
    addsBOS = vocabulary.addsBOS ?? preTokenizer.addsBOS

    var kinds = try vocabulary.checkedKinds()
    let index = try vocabulary.makeIndex()
    let ends = try vocabulary.endOfGenerationTokens(kinds, index)
    // Files have been seen that call these user-defined; then any text could end a turn.
    for id in ends.union([bosToken, eosToken].compactMap(\.self))
    where kinds[Int(id)] == .userDefined {
      kinds[Int(id)] = .control
    }
    endOfGenerationTokens = ends
    self.kinds = kinds
    self.index = index
    merges = try vocabulary.makeMerges(kinds, index)
    byteTokens = vocabulary.makeByteTokens(kinds, index)
    specialTokens = SpecialTokenMatcher(tokens, kinds)
  }
}

extension Tokenizer {
  /// The id of a token by its text as the vocabulary spells it.
  public func id(of text: String) -> Int32? {
    index.id(of: Array(text.utf8)[...], in: tokens)
  }

  /// A token's text as the vocabulary spells it (ordinary tokens in GPT-2's byte alphabet); nil for
  /// an id outside the vocabulary.
  public func text(of token: Int32) -> String? {
    guard isValid(token) else { return nil }
    return String(decoding: tokens[Int(token)], as: UTF8.self)
  }

  /// nil for an id outside the vocabulary.
  public func kind(of token: Int32) -> TokenKind? {
    isValid(token) ? kinds[Int(token)] : nil
  }

  func isValid(_ token: Int32) -> Bool { token >= 0 && Int(token) < vocabularySize }
}
