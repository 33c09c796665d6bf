import Foundation
import Synchronization

/// Ctrl-C. The first one sets a flag that long work looks at; a second one, where the first was
/// not yet answered, ends the process at once.
public enum Interrupt {
  private static let count = Atomic<Int>(0)

  /// Takes over SIGINT. Blocking reads return early, so that a waiting prompt notices it.
  static func install() {
    // The handler may run nothing but atomic operations, so the counter is made here.
    count.store(0, ordering: .relaxed)
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { _ in Interrupt.noteSignal() }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigemptyset(&action.sa_mask)
    action.sa_flags = 0
    sigaction(SIGINT, &action, nil)
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
