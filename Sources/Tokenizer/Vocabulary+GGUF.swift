import GGUF

extension Vocabulary {
  /// Reads the `tokenizer.ggml.*` keys.
  public init(_ metadata: GGUFMetadata) throws(TokenizerError) {
    let model = try Self.require("model", metadata.string, "a string")
    guard model == "gpt2" else { throw .unsupportedModel(model) }
    preTokenizer = try Self.require("pre", metadata.string, "a string")
    tokens = try Self.strings("tokens", metadata)
    merges = try Self.strings("merges", metadata)
    let kinds = try Self.require("token_type", metadata.array, "an array of integers")
    // The count comes first: it bounds what the conversion allocates.
    guard kinds.count == tokens.count else {
      throw .kindCountMismatch(tokens: tokens.count, kinds: kinds.count)
    }
    guard let kinds = kinds.ints() else {
      throw .wrongType(key: Self.key("token_type"), expected: "an array of integers")
    }
    self.kinds = kinds
    bosToken = try Self.optional("bos_token_id", metadata.int, "an integer")
    eosToken = try Self.optional("eos_token_id", metadata.int, "an integer")
    for name in ["eot_token_id", "eom_token_id"] {
      endTokens[Self.key(name)] = try Self.optional(name, metadata.int, "an integer")
    }
    addsBOS = try Self.optional("add_bos_token", metadata.bool, "a bool")
  }

  static func key(_ name: String) -> String { "tokenizer.ggml." + name }

  private static func optional<T>(
    _ name: String, _ read: (String) throws(GGUFError) -> T?, _ expected: String
  ) throws(TokenizerError) -> T? {
    do {
      return try read(key(name))
    } catch {
      throw .wrongType(key: key(name), expected: expected)
    }
  }

  private static func require<T>(
    _ name: String, _ read: (String) throws(GGUFError) -> T?, _ expected: String
  ) throws(TokenizerError) -> T {
    guard let value = try optional(name, read, expected) else { throw .missingKey(key(name)) }
    return value
  }

  private static func strings(
    _ name: String, _ metadata: GGUFMetadata
  ) throws(TokenizerError) -> ByteStrings {
    let array = try require(name, metadata.array, "an array of strings")
    guard array.elementType == .string else {
      throw .wrongType(key: key(name), expected: "an array of strings")
    }
    guard array.count <= Tokenizer.sizeLimit else {
      throw .tooManyEntries(key: key(name), count: array.count, limit: Tokenizer.sizeLimit)
    }
    var strings = ByteStrings()
    strings.reserveCapacity(array.count)
    array.forEachString { strings.append($1) }
    return strings
  }
}
