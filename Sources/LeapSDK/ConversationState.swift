/// What changes in a conversation, and the rules by which it changes. Knows nothing of threads:
/// the conversation holds it behind a lock.
struct ConversationState {
  var history: [ChatMessage]
  var functions: [LeapFunction] = []
  var historyProblem: LeapError?
  /// The number of the generation in progress; nil if there is none.
  private(set) var current: UInt64?
  /// Who reads the latest answer, if it is read from a stream.
  private(set) var reader: StreamConsumer?

  /// The last generation added its answer, so that the engine's state stands at its end.
  private(set) var hasState = false

  private var lastGeneration: UInt64 = 0
  /// The message the current generation answers and where it stands, if the call brought one.
  private var question: (message: ChatMessage, index: Int)?

  init(history: [ChatMessage]) {
    self.history = history
  }

  /// Adds the message to answer, or nothing to go on from the history as it is, and starts a
  /// generation. Returns its number, or nil while another one is in progress.
  mutating func begin(
    answering message: ChatMessage?, reader: StreamConsumer? = nil
  ) -> UInt64? {
    guard current == nil else { return nil }
    self.reader = reader
    lastGeneration += 1
    current = lastGeneration
    question = message.map { ($0, history.count) }
    if let message { history.append(message) }
    return lastGeneration
  }

  /// Adds the answer. False if the generation is no longer the current one.
  mutating func complete(_ generation: UInt64, with answer: ChatMessage) -> Bool {
    guard generation == current else { return false }
    history.append(answer)
    hasState = true
    current = nil
    question = nil
    return true
  }

  /// Ends the generation without an answer and takes its question back, so that the history never
  /// has two user turns in a row. False if the generation is no longer the current one.
  mutating func abandon(_ generation: UInt64) -> Bool {
    guard generation == current else { return false }
    if let question, history.indices.contains(question.index),
      history[question.index] == question.message
    {
      history.remove(at: question.index)
    }
    hasState = false
    current = nil
    question = nil
    return true
  }

  /// Takes up a saved conversation.
  mutating func restore(history: [ChatMessage], functions: [LeapFunction], hasState: Bool) {
    self.history = history
    self.functions = functions
    self.hasState = hasState
  }
}
