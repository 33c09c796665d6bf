import Tokenizer

/// What a generation needs to know of a vocabulary: the tokenizer's, or a script's in tests.
protocol TokenVocabulary {
  var vocabularySize: Int { get }
  /// The tokens that end a turn.
  var endOfGenerationTokens: Set<Int32> { get }
  /// What a token adds to the text; control tokens are shown by their name.
  func shownBytes(of token: Int32) -> [UInt8]
  /// The token a turn usually ends with.
  var endOfTurnToken: Int32? { get }
  /// A text's tokens, none of them a control token.
  func tokens(of text: String) -> [Int32]
}

extension TokenVocabulary {
  /// The tokens that end a turn, the usual one first.
  var orderedEndTokens: [Int32] {
    let others = endOfGenerationTokens.filter { $0 != endOfTurnToken }.sorted()
    guard let usual = endOfTurnToken, endOfGenerationTokens.contains(usual) else { return others }
    return [usual] + others
  }
}

extension Tokenizer: TokenVocabulary {
  var endOfTurnToken: Int32? { eosToken }

  func tokens(of text: String) -> [Int32] { encode(text, special: .plain) }

  func shownBytes(of token: Int32) -> [UInt8] { bytes(of: token, special: true) }
}
