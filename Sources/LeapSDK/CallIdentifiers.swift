/// The ids of the calls in a history as it is exported: unique in it, those that were imported
/// kept, and tool messages referring to them.
struct CallIdentifiers {
  /// Ids that are not to be made up.
  private let imported: Set<String>
  private var used: Set<String> = []
  private var madeUp = 0
  /// The exported ids of the latest calls that no tool message has answered yet, in order.
  private var unanswered: [String] = []
  /// Exported ids by the ids that came with the calls.
  private var exported: [String: String] = [:]

  init(_ history: [ChatMessage]) {
    imported = Set(history.flatMap { ($0.functionCalls ?? []).compactMap(\.id) })
  }

  /// The ids of a message's calls.
  mutating func identify(_ calls: [LeapFunctionCall]) -> [String] {
    guard !calls.isEmpty else { return [] }
    unanswered = calls.map { call in
      let id = unusedID(preferring: call.id)
      used.insert(id)
      if let imported = call.id { exported[imported] = id }
      return id
    }
    return unanswered
  }

  private mutating func unusedID(preferring id: String?) -> String {
    if let id, !used.contains(id) { return id }
    while true {
      let id = "call_\(madeUp)"
      madeUp += 1
      if !used.contains(id), !imported.contains(id) { return id }
    }
  }

  /// The id of the call that a tool message answers: the one it names, or else the first that has
  /// no answer yet.
  mutating func answer(naming id: String?) -> String? {
    if let id = id.flatMap({ exported[$0] }) {
      unanswered.removeAll { $0 == id }
      return id
    }
    return unanswered.isEmpty ? id : unanswered.removeFirst()
  }
}
