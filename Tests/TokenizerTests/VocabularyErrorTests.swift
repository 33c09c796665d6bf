import GGUF
import Testing

@testable import Tokenizer

@Suite struct VocabularyErrorTests {
  private func expect(
    _ error: TokenizerError, _ change: (inout Vocabulary) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) {
    var vocabulary = TestVocabulary.make()
    change(&vocabulary)
    #expect(throws: error, sourceLocation: location) { try Tokenizer(vocabulary) }
    #expect(error.description.hasSuffix("."), sourceLocation: location)
  }

  @Test func inconsistentVocabulariesAreRefused() {
    let count = TestVocabulary.make().tokens.count
    expect(.unsupportedPreTokenizer("babel")) { $0.preTokenizer = "babel" }
    expect(.unsupportedPreTokenizer("")) { $0.preTokenizer = "" }
    expect(.emptyVocabulary) {
      $0.tokens = ByteStrings()
      $0.kinds = []
      ($0.bosToken, $0.eosToken) = (nil, nil)
    }
    expect(.kindCountMismatch(tokens: count, kinds: count - 1)) { $0.kinds.removeLast() }
    expect(.invalidKind(token: 5, value: 0)) { $0.kinds[5] = 0 }
    expect(.invalidKind(token: 5, value: 7)) { $0.kinds[5] = 7 }
    expect(.duplicateToken(text: "<think>", first: 2, second: count)) {
      $0.tokens.append("<think>".utf8)
      $0.kinds.append(1)
    }
    for merge in ["ab", "", " ", "a ", " a"] {
      expect(.malformedMerge(index: 1, text: merge)) { $0.merges = ByteStrings(["a b", merge]) }
    }
    for (id, key) in [(-1, "bos_token_id"), (count, "bos_token_id"), (.max, "bos_token_id")] {
      expect(.tokenOutOfRange(key: "tokenizer.ggml." + key, token: id, count: count)) {
        $0.bosToken = id
      }
    }
    expect(.tokenOutOfRange(key: "tokenizer.ggml.eos_token_id", token: count, count: count)) {
      $0.eosToken = count
    }
    expect(.tokenOutOfRange(key: "tokenizer.ggml.eot_token_id", token: -5, count: count)) {
      $0.endTokens["tokenizer.ggml.eot_token_id"] = -5
    }
  }

  private func metadata() -> GGUFMetadata {
    var metadata = GGUFMetadata()
    metadata["tokenizer.ggml.model"] = .string("gpt2")
    metadata["tokenizer.ggml.pre"] = .string("lfm2")
    metadata["tokenizer.ggml.tokens"] = .array(GGUFArray(["a", "b", "ab"]))
    metadata["tokenizer.ggml.token_type"] = .array(GGUFArray([1, 1, 1] as [Int32]))
    metadata["tokenizer.ggml.merges"] = .array(GGUFArray(["a b"]))
    return metadata
  }

  @Test func aCompleteFileIsAccepted() throws {
    let tokenizer = try Tokenizer(metadata: metadata())
    #expect(tokenizer.encode("abba") == [2, 1, 0])
    #expect(tokenizer.bosToken == nil)
    #expect(tokenizer.encode("a", addBOS: true) == [0])
  }

  @Test func missingKeysAreNamed() {
    for name in ["model", "pre", "tokens", "token_type", "merges"] {
      var metadata = metadata()
      metadata["tokenizer.ggml." + name] = nil
      #expect(throws: TokenizerError.missingKey("tokenizer.ggml." + name)) {
        try Tokenizer(metadata: metadata)
      }
    }
  }

  @Test func valuesOfAnotherTypeAreNamed() {
    let names = [
      "model", "pre", "tokens", "token_type", "merges", "bos_token_id", "eos_token_id",
      "eot_token_id", "add_bos_token",
    ]
    for name in names {
      for value in [GGUFValue.float32(1), .array(GGUFArray([1, 2, 3] as [Float]))] {
        var metadata = metadata()
        metadata["tokenizer.ggml." + name] = value
        do {
          _ = try Tokenizer(metadata: metadata)
          Issue.record("\(name) = \(value) was accepted")
        } catch {
          guard case .wrongType(let key, _) = error else {
            Issue.record("\(name): \(error)")
            continue
          }
          #expect(key == "tokenizer.ggml." + name)
        }
      }
    }
  }

  @Test func otherKindsOfTokenizerAreNamed() {
    var metadata = metadata()
    metadata["tokenizer.ggml.model"] = .string("llama")
    #expect(throws: TokenizerError.unsupportedModel("llama")) {
      try Tokenizer(metadata: metadata)
    }
    #expect(TokenizerError.unsupportedModel("llama").description.contains("\"gpt2\""))
    let unknown = TokenizerError.unsupportedPreTokenizer("babel").description
    #expect(unknown.contains("\"babel\"") && unknown.contains("lfm2"))
  }
}
