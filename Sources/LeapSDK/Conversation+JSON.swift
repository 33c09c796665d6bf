import JSON

extension Conversation {
  /// The history in the OpenAI chat format, fit for `JSONSerialization` and for
  /// `createConversationFromHistory(history:)`. While generating: the messages so far.
  ///
  /// Each call has an id that is unique in the history, and tool messages carry the id of the call
  /// they answer; ids that were imported are kept.
  public func exportToJSON() throws -> [[String: Any]] {
    let history = history
    var identifiers = CallIdentifiers(history)
    return history.compactMap { message in
      JSONValue.object(message.json(&identifiers)).foundationObject as? [String: Any]
    }
  }
}
