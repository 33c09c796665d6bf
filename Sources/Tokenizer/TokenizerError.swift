import Foundation

/// Why a tokenizer could not be made from a file's metadata.
public enum TokenizerError: Error, Sendable, Equatable {
  case missingKey(String)
  case wrongType(key: String, expected: String)
  /// The kind of tokenizer (`tokenizer.ggml.model`) is not byte-level BPE.
  case unsupportedModel(String)
  /// The rule for cutting text into pieces (`tokenizer.ggml.pre`) is not known.
  case unsupportedPreTokenizer(String)
  case emptyVocabulary
  case tooManyEntries(key: String, count: Int, limit: Int)
  case kindCountMismatch(tokens: Int, kinds: Int)
  case invalidKind(token: Int, value: Int)
  case duplicateToken(text: String, first: Int, second: Int)
  /// A merge is not two parts with a space between them.
  case malformedMerge(index: Int, text: String)
  /// The metadata names a token that the vocabulary does not have.
  case tokenOutOfRange(key: String, token: Int, count: Int)
}

extension TokenizerError: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .missingKey(let key):
      "The file's metadata has no \(key), so its text cannot be tokenized; "
        + "use a file with a complete tokenizer."
    case .wrongType(let key, let expected):
      "The metadata value \(key) must be \(expected); the file is damaged or badly converted."
    case .unsupportedModel(let name):
      "The file's tokenizer is of the kind \"\(name)\" (tokenizer.ggml.model); "
        + "only \"gpt2\", byte-level BPE, is supported."
    case .unsupportedPreTokenizer(let name):
      "The file's pre-tokenizer \"\(name)\" (tokenizer.ggml.pre) is not supported; known are "
        + PreTokenizer.supportedNames.joined(separator: ", ") + "."
    case .emptyVocabulary:
      "The file's vocabulary (tokenizer.ggml.tokens) is empty."
    case .tooManyEntries(let key, let count, let limit):
      "\(key) has \(count) entries; at most \(limit) are supported."
    case .kindCountMismatch(let tokens, let kinds):
      "The file has \(tokens) tokens but \(kinds) entries in tokenizer.ggml.token_type; "
        + "the two must match."
    case .invalidKind(let token, let value):
      "Token \(token) has the type \(value) in tokenizer.ggml.token_type; known are 1 to 6."
    case .duplicateToken(let text, let first, let second):
      "The vocabulary has the token \"\(text)\" twice, as \(first) and as \(second)."
    case .malformedMerge(let index, let text):
      "Entry \(index) of tokenizer.ggml.merges, \"\(text)\", is not two parts with a space between."
    case .tokenOutOfRange(let key, let token, let count):
      "\(key) is \(token), but the vocabulary ends at \(count - 1)."
    }
  }

  public var errorDescription: String? { description }
}
