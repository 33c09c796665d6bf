import Tokenizer

/// What a generation needs to know of a vocabulary: the tokenizer's, or a script's in tests.
protocol TokenVocabulary {
  var vocabularySize: Int { get }
  /// The tokens that end a turn.
  var endOfGenerationTokens: Set<Int32> { get }
  /// What a token adds to the text; control tokens are shown by their name.
  func shownBytes(of token: Int32) -> [UInt8]
}

extension Tokenizer: TokenVocabulary {
  func shownBytes(of token: Int32) -> [UInt8] { bytes(of: token, special: true) }
}
