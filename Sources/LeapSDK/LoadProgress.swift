/// Reports to the progress handlers of loading.
enum LoadProgress {
  /// Everything is on this machine: the one report of the fraction 1. The handler is called on the
  /// main actor, which nothing waits for.
  static func reportDone(to handler: (@MainActor @Sendable (Double, Int64) -> Void)?) {
    guard let handler else { return }
    Task { @MainActor in handler(1, 0) }
  }
}
