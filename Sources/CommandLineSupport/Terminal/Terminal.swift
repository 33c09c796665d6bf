import Foundation

/// What is known of the terminal behind a file descriptor.
public struct Terminal: Sendable {
  public static let standardInput = Terminal(descriptor: STDIN_FILENO)
  public static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
  public static let standardError = Terminal(descriptor: STDERR_FILENO)

  let descriptor: Int32

  /// Whether a person looks at it (or types into it).
  public var isInteractive: Bool { isatty(descriptor) == 1 }

  /// Columns, or nil where there is no terminal.
  public var width: Int? {
    var size = winsize()
    guard isInteractive, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Whether escape sequences may be written to it (NO_COLOR and TERM=dumb say no).
  public var allowsStyle: Bool {
    Self.allowsStyle(interactive: isInteractive, environment: ProcessInfo.processInfo.environment)
  }

  static func allowsStyle(interactive: Bool, environment: [String: String]) -> Bool {
    interactive && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }
}

/// Text attributes for terminals that allow them.
public enum Style: String, Sendable {
  case bold = "1"
  case dim = "2"
  case green = "32"

  /// The text with this attribute, or as it is where the terminal does not allow any.
  public func apply(_ text: String, on terminal: Terminal) -> String {
    terminal.allowsStyle ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}
