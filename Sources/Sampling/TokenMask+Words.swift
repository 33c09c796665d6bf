extension TokenMask {
  /// A mask over `count` ids from its words; missing words and bits beyond `count` allow nothing.
  public init(count: Int, words: [UInt64]) {
    self.init(count: count)
    for index in self.words.indices.prefix(words.count) { self.words[index] = words[index] }
    let used = self.count & 63
    if used != 0 { self.words[self.words.count - 1] &= 1 << UInt64(used) - 1 }
  }
}
