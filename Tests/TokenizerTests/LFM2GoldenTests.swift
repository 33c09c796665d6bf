import Foundation
import GGUF
import Persistence
import TestSupport
import Testing
import Tokenizer

/// Against ids on which the Hugging Face library and llama.cpp agree.
@Suite(.enabled(if: Fixtures.hasShared)) struct LFM2GoldenTests {
  struct Golden: Decodable {
    struct Case: Decodable {
      let category: String
      let text: String
      let ids: [Int32]
      let ids_plain: [Int32]?
      let bytes: String?
    }
    let bos_id: Int32
    let cases: [Case]
  }

  struct TokenBytes: Decodable {
    let tokens: Int32
    let total_bytes: Int
    let sha256: String
  }

  private func load<T: Decodable>(_ type: T.Type, _ name: String) throws -> T {
    let url = try #require(Fixtures.shared(name))
    return try JSONDecoder().decode(type, from: Data(contentsOf: url))
  }

  @Test func everyGoldenStringHasItsIDsInBothModes() throws {
    let tokenizer = try #require(LFM2Vocabulary.tokenizer)
    let golden = try load(Golden.self, "tokenizer/golden.json")
    #expect(golden.cases.count == 481)
    #expect(tokenizer.bosToken == golden.bos_id)
    for item in golden.cases {
      let label = "\(item.category): \(item.text.debugDescription.prefix(80))"
      let ids = tokenizer.encode(item.text, special: .parse)
      #expect(ids == item.ids, "\(label)")
      #expect(tokenizer.encode(item.text) == item.ids_plain ?? item.ids, "\(label) plain")
      let decoded = tokenizer.decode(ids, special: true)
      #expect(Array(decoded.utf8) == Array(item.text.utf8), "\(label) decoded")
      var withBOS = item.ids
      if withBOS.first != golden.bos_id { withBOS.insert(golden.bos_id, at: 0) }
      #expect(tokenizer.encode(item.text, special: .parse, addBOS: true) == withBOS, "\(label)")
      if let bytes = item.bytes {
        #expect(tokenizer.encode(bytes: bytesFromHex(bytes), special: .parse) == item.ids)
      }
    }
  }

  @Test func everyTokenHasItsBytes() throws {
    let tokenizer = try #require(LFM2Vocabulary.tokenizer)
    let golden = try load(TokenBytes.self, "tokenizer/token_bytes.json")
    var listing: [UInt8] = []
    for id in 0..<golden.tokens {
      let bytes = tokenizer.bytes(of: id, special: true)
      withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { listing.append(contentsOf: $0) }
      listing.append(contentsOf: bytes)
    }
    #expect(listing.count == golden.total_bytes + 4 * Int(golden.tokens))
    #expect(SHA256.digest(listing).description == golden.sha256)
  }

  @Test func tokensOfTheVocabularyAreKnownByText() throws {
    let tokenizer = try #require(LFM2Vocabulary.tokenizer)
    #expect(tokenizer.vocabularySize == 65_536)
    #expect(tokenizer.addsBOS)
    #expect(tokenizer.eosToken == 7)
    #expect(tokenizer.endOfGenerationTokens == [2, 7])
    #expect(tokenizer.id(of: "<|tool_call_start|>") == 10)
    #expect(tokenizer.text(of: 6) == "<|im_start|>")
    #expect(tokenizer.kind(of: 6) == .control)
    #expect(tokenizer.kind(of: 64_400) == .unused)
    for id in 0..<Int32(tokenizer.vocabularySize) {
      let text = try #require(tokenizer.text(of: id))
      #expect(tokenizer.id(of: text) == id)
    }
  }
}

func bytesFromHex(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] * 16 + digits[$0 + 1])
  }
}
