import JSON

extension Conversation {
  /// The history in the OpenAI chat format, fit for `JSONSerialization` and for
  /// `createConversationFromHistory(history:)`. While generating: the messages so far.
  ///
  /// Calls are numbered through the whole history, and tool messages carry the id of the call
  /// they answer.
  public func exportToJSON() throws -> [[String: Any]] {
    var calls = 0
    var unanswered: [Int] = []
    return history.compactMap { message in
      var object = message.json(firstCall: calls)
      if let made = message.functionCalls?.count, made > 0 {
        unanswered = Array(calls..<calls + made)
        calls += made
      } else if message.role == .tool, !unanswered.isEmpty {
        object["tool_call_id"] = .string("call_\(unanswered.removeFirst())")
      }
      return JSONValue.object(object).foundationObject as? [String: Any]
    }
  }
}
