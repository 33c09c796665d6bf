/// A running generation that can be ended early. Thread-safe.
public protocol GenerationHandler: Sendable {
  /// Ends the generation after at most one more token. What was generated so far is delivered
  /// in a `.complete` whose finish reason is `.stop`. Further calls do nothing.
  func stop()
}
