import Foundation

/// Shows how far long work has come, on standard error: a bar that redraws itself on a terminal;
/// elsewhere a plain line now and then, and none at all for short work.
public struct ProgressBar {
  /// Where and how a bar is shown.
  public struct Display {
    var isTerminal: Bool
    var width: Int
    var write: (String) -> Void
    /// Seconds on a clock that never goes back.
    var now: () -> Double

    /// Standard error and the system's clock.
    public static var standardError: Display {
      let terminal = Terminal.standardError
      return Display(
        isTerminal: terminal.isInteractive, width: terminal.width ?? 80,
        write: Console.writeError, now: { ProcessInfo.processInfo.systemUptime })
    }
  }

  private let title: String
  private let display: Display
  private let start: Double
  private var lastShown: Double
  private var drawnLength = 0

  public init(_ title: String, display: Display = .standardError) {
    self.title = title
    self.display = display
    start = display.now()
    lastShown = start
  }

  /// Shows `fraction` (clamped to 0…1; NaN counts as 0), at most ten times a second on a terminal
  /// and every five seconds elsewhere.
  public mutating func update(_ fraction: Double, note: String = "") {
    let now = display.now()
    let isFirst = drawnLength == 0 && display.isTerminal
    guard isFirst || now - lastShown >= (display.isTerminal ? 0.1 : 5) else { return }
    lastShown = now
    let share = fraction > 0 ? min(fraction, 1) : 0
    if display.isTerminal {
      draw(bar(share, note))
    } else {
      display.write("\(title): \(percent(share))\(note.isEmpty ? "" : ", \(note)")\n")
    }
  }

  /// Ends the bar: removes it from a terminal, so that what follows stands on a clean line.
  public mutating func finish() {
    guard display.isTerminal, drawnLength > 0 else { return }
    display.write("\r" + String(repeating: " ", count: drawnLength) + "\r")
    drawnLength = 0
  }

  private mutating func draw(_ text: String) {
    let padding = String(repeating: " ", count: max(0, drawnLength - text.count))
    display.write("\r" + text + padding)
    drawnLength = text.count
  }

  private func bar(_ share: Double, _ note: String) -> String {
    let words = " \(percent(share))" + (note.isEmpty ? "" : " \(note)")
    // Two columns for the ^C that a terminal may add, and one for the cursor.
    let width = max(1, display.width - 3)
    let room = max(0, min(40, width - title.count - words.count - 3))
    let filled = Int(share * Double(room))
    // A bar of a few columns says less than nothing.
    let line =
      room < 5
      ? title + words
      : "\(title) [" + String(repeating: "#", count: filled)
        + String(repeating: ".", count: room - filled) + "]" + words
    return String(line.prefix(width))
  }

  private func percent(_ share: Double) -> String { "\(Int(share * 100))%" }
}
