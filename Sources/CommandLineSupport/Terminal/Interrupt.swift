import Foundation
import Synchronization

/// Ctrl-C. The first one sets a flag that long work looks at; a second one, where the first was
/// not yet answered, ends the process at once.
public enum Interrupt {
  private static let count = Atomic<Int>(0)

  /// Takes over SIGINT, unless the parent wants it ignored (as shells do for background jobs).
  /// Blocking reads return early, so that a waiting prompt notices it.
  static func install() {
    // The handler may run nothing but atomic operations, so the counter is made here.
    count.store(0, ordering: .relaxed)
    var action = sigaction()
    guard sigaction(SIGINT, nil, &action) == 0, !isIgnored(action) else { return }
    let handler: @convention(c) (Int32) -> Void = { _ in Interrupt.noteSignal() }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigemptyset(&action.sa_mask)
    action.sa_flags = 0
    sigaction(SIGINT, &action, nil)

    // Some parents start their children with every signal blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func noteSignal() {
    let earlier = count.add(1, ordering: .relaxed).oldValue
    if earlier > 0 { _exit(ExitCode.interrupted) }
  }

  /// Whether Ctrl-C was pressed since the last `clear()`.
  public static var isPending: Bool { count.load(ordering: .relaxed) > 0 }

  /// Marks the pending Ctrl-C as answered.
  public static func clear() { count.store(0, ordering: .relaxed) }

  /// Throws where Ctrl-C is pending.
  public static func check() throws(Interrupted) {
    if isPending { throw Interrupted() }
  }
}
