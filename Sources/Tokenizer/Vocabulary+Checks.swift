// The steps from what a file says to the tables of a tokenizer.
extension Vocabulary {
  func checkedKinds() throws(TokenizerError) -> [TokenKind] {
    guard tokens.count > 0 else { throw .emptyVocabulary }
    try checkSize(tokens, "tokens")
    guard kinds.count == tokens.count else {
      throw .kindCountMismatch(tokens: tokens.count, kinds: kinds.count)
    }
    var checked: [TokenKind] = []
    checked.reserveCapacity(kinds.count)
    for (token, value) in kinds.enumerated() {
      guard let kind = TokenKind(rawValue: value) else {
        throw .invalidKind(token: token, value: value)
      }
      checked.append(kind)
    }
    return checked
  }

  private func checkSize(_ strings: ByteStrings, _ name: String) throws(TokenizerError) {
    guard strings.count <= Tokenizer.sizeLimit else {
      throw .tooManyEntries(
        key: Self.key(name), count: strings.count, limit: Tokenizer.sizeLimit)
    }
  }

  func checkedID(_ id: Int?, key: String) throws(TokenizerError) -> Int32? {
    guard let id else { return nil }
    guard id >= 0, id < tokens.count, let token = Int32(exactly: id) else {
      throw .tokenOutOfRange(key: key, token: id, count: tokens.count)
    }
    return token
  }

  /// Every token by its text. Empty texts, which no input can ask for, are left out.
  func makeIndex() throws(TokenizerError) -> TokenIndex {
    var index = TokenIndex(capacity: tokens.count)
    for id in 0..<tokens.count where !tokens[id].isEmpty {
      if let first = index.insert(Int32(truncatingIfNeeded: id), in: tokens) {
        throw .duplicateToken(
          text: String(decoding: tokens[id], as: UTF8.self), first: Int(first), second: id)
      }
    }
    return index
  }

  /// The merges whose parts and result are tokens. Others could never be made, and none may make a
  /// control token.
  func makeMerges(_ kinds: [TokenKind], _ index: TokenIndex) throws(TokenizerError) -> MergeTable {
    try checkSize(merges, "merges")
    var table = MergeTable(capacity: merges.count)
    var joined: [UInt8] = []
    func token(_ text: ArraySlice<UInt8>) -> Int32? {
      guard let id = index.id(of: text, in: tokens), kinds[Int(id)].isText else { return nil }
      return id
    }
    for rank in 0..<merges.count {
      let merge = merges[rank]
      // The left part has at least one byte, which may be a space itself.
      guard let space = merge.dropFirst().firstIndex(of: 0x20), space + 1 < merge.endIndex else {
        throw .malformedMerge(index: rank, text: String(decoding: merge, as: UTF8.self))
      }
      joined.removeAll(keepingCapacity: true)
      joined.append(contentsOf: merge[..<space])
      joined.append(contentsOf: merge[(space + 1)...])
      guard let left = token(merge[..<space]), let right = token(merge[(space + 1)...]),
        let result = token(joined[...])
      else { continue }
      table.insert(left, right, rank: rank, result: result)
    }
    return table
  }

  func makeByteTokens(_ kinds: [TokenKind], _ index: TokenIndex) -> [Int32?] {
    ByteAlphabet.spellings.map { first, second in
      let spelling = second == 0 ? [first] : [first, second]
      guard let id = index.id(of: spelling[...], in: tokens), kinds[Int(id)].isText else {
        return nil
      }
      return id
    }
  }

  /// The tokens the metadata names and those with the texts in use for the end of a turn or text.
  func endOfGenerationTokens(
    _ kinds: [TokenKind], _ index: TokenIndex
  ) throws(TokenizerError) -> Set<Int32> {
    var ends: Set<Int32> = []
    if let id = try checkedID(eosToken, key: Self.key("eos_token_id")) { ends.insert(id) }
    for (key, id) in endTokens {
      if let id = try checkedID(id, key: key) { ends.insert(id) }
    }
    for text in [
      "<|im_end|>", "<|endoftext|>", "<|end|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>",
      "<end_of_turn>", "<|return|>", "<|call|>", "</s>", "<EOT>", "[EOT]",
    ] {
      guard let id = index.id(of: Array(text.utf8)[...], in: tokens) else { continue }
      if kinds[Int(id)].isControl || kinds[Int(id)] == .userDefined { ends.insert(id) }
    }
    return ends
  }
}
