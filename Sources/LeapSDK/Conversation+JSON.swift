import JSON

extension Conversation {
  /// The history in the OpenAI chat format, fit for `JSONSerialization` and for
  /// `createConversationFromHistory(history:)`. While generating: the messages so far.
  ///
  /// Each call has an id that is unique in the history, and tool messages carry the id of the call
  /// they answer; ids that were imported are kept.
  public func exportToJSON() throws -> [[String: Any]] {
    history.json.compactMap { JSONValue.object($0).foundationObject as? [String: Any] }
  }
}
