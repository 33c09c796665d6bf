/// The prompt of a conversation that goes on from the state it left instead of from its rendered
/// history. Only the decision: `Engine` applies it.
enum Continuation {
  /// More between the end of an answer and the next message would be no mere closing.
  private static let longestClosing = 8

  /// - Parameters:
  ///   - written: the tokens of the last prompt and of the answer as the model wrote it.
  ///   - answered: the rendered history up to and including that answer.
  ///   - full: the whole rendered history.
  ///   - endTokens: the tokens that end a turn.
  /// - Returns: `written` with the end of the turn and what `full` adds; nil if that cannot be told
  ///   from the renderings.
  static func prompt(
    written: [Int32], answered: [Int32], full: [Int32], endTokens: Set<Int32>
  ) -> [Int32]? {
    guard full.count > answered.count, full.starts(with: answered),
      let end = answered.lastIndex(where: endTokens.contains),
      answered.count - end <= longestClosing
    else { return nil }
    let open = written.last.map(endTokens.contains) == true ? written.dropLast() : written[...]
    return Array(open) + full[end...]
  }
}
