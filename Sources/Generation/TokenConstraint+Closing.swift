/// A constrained answer is brought to an end while there is room for it: a model that rambles in a
/// string would otherwise fill the context and leave half a document.
extension TokenConstraint {
  /// What is known of a way to end the answer.
  struct Closing {
    /// Its tokens, and the tokens written since it was found.
    fileprivate var count = 0
    fileprivate var age = TokenConstraint.interval
  }

  /// Further from the limit than this, nothing is checked.
  private static let horizon = 1_024
  /// An ending is looked for after so many tokens, and for every token when that many more than an
  /// ending takes are left.
  fileprivate static let interval = 48

  /// The tokens that end the answer here, if `token` would leave too little room to end it later;
  /// nil if `token` is fine or nothing can be done.
  ///
  /// - Parameter room: tokens that may still be written, `token` and the end of the turn included.
  mutating func endingInstead(of token: Int32, room: Int, isReasoning: Bool) -> [Int32]? {
    guard room <= Self.horizon else { return nil }
    closing.age += 1
    let isClose = room <= closing.count + Self.interval
    guard isClose || closing.age > Self.interval else { return nil }
    // Reasoning has to be ended first, whatever the token adds to it.
    let head = isReasoning ? "</think>" : ""
    let later = ending(after: isReasoning ? Array(head.utf8) : rules.tokens.shownBytes(of: token))
    if let later { closing = Closing(count: later.count, age: 0) }
    let first = rules.tokens.tokens(of: head)
    let leavesRoom = later.map { first.count + $0.count + 2 <= room } ?? !isClose
    if leavesRoom { return nil }
    guard let now = ending(after: Array(head.utf8)), first.count + now.count + 1 <= room else {
      return nil
    }
    return first + now
  }

  /// The tokens of a short ending behind `text`.
  private mutating func ending(after text: [UInt8]) -> [Int32]? {
    let found = withAnswer { $0.completion(after: text, limit: 4 * Self.horizon) } ?? nil
    guard let bytes = found else { return nil }
    let ending = String(decoding: bytes, as: UTF8.self)
    // Half a character is no text of its own.
    return ending.utf8.elementsEqual(bytes) ? rules.tokens.tokens(of: ending) : nil
  }
}
