/// The texts of all tokens, in a form in which a grammar finds the allowed ones quickly. Immutable and
/// shared between any number of matchers.
public final class GrammarVocabulary: Sendable {
  /// The number of ids, from 0.
  public let count: Int

  /// All tokens, and those among them that are no plain piece of a JSON string.
  let trie: TokenTrie
  let otherTrie: TokenTrie
  let plainTokens: PlainTokens

  private let bytes: [UInt8]
  /// Token `id` has the bytes from `starts[id]` up to `starts[id + 1]`.
  private let starts: [Int]

  /// `bytes` gives the text of each id from 0 up to `count`; nil or an empty text for those that no
  /// grammar ever allows, such as control tokens.
  public init(count: Int, bytes: (Int32) -> [UInt8]?) {
    self.count = max(0, min(count, Int(Int32.max)))
    var pool: [UInt8] = []
    var starts = [0]
    starts.reserveCapacity(self.count + 1)
    for id in 0..<Int32(self.count) {
      pool += bytes(id) ?? []
      starts.append(pool.count)
    }
    self.bytes = pool
    self.starts = starts

    let ids = TokenTrie.sorted(pool, starts)
    trie = TokenTrie(ids, pool, starts)
    let plainTokens = PlainTokens(ids, count: self.count, pool, starts)
    otherTrie = TokenTrie(ids.filter { !plainTokens.contains($0) }, pool, starts)
    self.plainTokens = plainTokens
  }

  /// The bytes of a token; empty for what is no token or never allowed.
  func text(of token: Int32) -> ArraySlice<UInt8> {
    guard token >= 0, Int(token) < count else { return [] }
    return bytes[starts[Int(token)]..<starts[Int(token) + 1]]
  }
}
