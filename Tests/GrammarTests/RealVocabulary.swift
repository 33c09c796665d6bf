import Foundation
import Grammar
import TestSupport

/// The tokens of the LFM2 models, read without the modules that load models.
enum RealVocabulary {
  /// nil (with a message) where the full fixtures are not at hand.
  static let shared: GrammarVocabulary? = {
    guard let url = Fixtures.shared("tokenizer/lfm2-vocab.gguf"),
      let data = try? Data(contentsOf: url)
    else { return nil }
    let bytes = [UInt8](data)
    guard let tokens = strings(bytes, key: "tokenizer.ggml.tokens"),
      let types = integers(bytes, key: "tokenizer.ggml.token_type")
    else { return nil }
    // 1 is an ordinary token, 4 a user's; the rest steers the model.
    return GrammarVocabulary(count: tokens.count) { id in
      [1, 4].contains(types[Int(id)]) ? decoded(tokens[Int(id)]) : nil
    }
  }()

  /// The position behind the header of an array: its key, its two types and its count.
  private static func array(_ bytes: [UInt8], key: String) -> (position: Int, count: Int)? {
    guard let range = Data(bytes).range(of: Data(key.utf8)) else { return nil }
    return (range.upperBound + 16, number(bytes, range.upperBound + 8, size: 8))
  }

  private static func number(_ bytes: [UInt8], _ position: Int, size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
  }

  private static func strings(_ bytes: [UInt8], key: String) -> [ArraySlice<UInt8>]? {
    guard var (position, count) = array(bytes, key: key) else { return nil }
    var result: [ArraySlice<UInt8>] = []
    while count > 0 {
      let length = number(bytes, position, size: 8)
      result.append(bytes[(position + 8)..<(position + 8 + length)])
      position += 8 + length
      count -= 1
    }
    return result
  }

  private static func integers(_ bytes: [UInt8], key: String) -> [Int]? {
    array(bytes, key: key).map { array in
      (0..<array.count).map { number(bytes, array.position + 4 * $0, size: 4) }
    }
  }

  /// Undoes the byte alphabet of GPT-2.
  private static func decoded(_ token: ArraySlice<UInt8>) -> [UInt8] {
    String(decoding: token, as: UTF8.self).unicodeScalars.compactMap { alphabet[$0.value] }
  }

  private static let alphabet: [UInt32: UInt8] = {
    var result: [UInt32: UInt8] = [:]
    var next: UInt32 = 256
    for byte in UInt8.min...UInt8.max {
      let isShown = (0x21...0x7E).contains(byte) || (0xA1...0xAC).contains(byte) || byte >= 0xAE
      result[isShown ? UInt32(byte) : next] = byte
      if !isShown { next += 1 }
    }
    return result
  }()
}
