/// What a vocabulary entry is for, as GGUF's `tokenizer.ggml.token_type` numbers it.
public enum TokenKind: Int, Sendable {
  /// Part of ordinary text.
  case normal = 1
  /// Stands for what the vocabulary cannot express.
  case unknown = 2
  /// Steers the model (begin of text, end of turn ...); never made from user text.
  case control = 3
  /// A piece of text that is one token wherever it occurs.
  case userDefined = 4
  /// Padding of the vocabulary; stands for nothing.
  case unused = 5
  /// A single byte.
  case byte = 6

  /// Whether the token is recognised only where control tokens are asked for.
  var isControl: Bool { self == .control || self == .unknown }

  /// Whether the token can come out of merging bytes.
  var isText: Bool { self == .normal || self == .userDefined || self == .byte }
}
