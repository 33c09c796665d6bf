import Foundation

/// Messages to the person, on standard error. They never fail: a person who closed standard error
/// does not want them.
public enum Console {
  /// A line of information.
  public static func note(_ text: String) {
    writeError(Style.dim.apply(text, on: .standardError) + "\n")
  }

  /// A line about something that may surprise.
  public static func warn(_ text: String) {
    writeError("warning: \(text)\n")
  }

  /// The one sentence that ends a failed run.
  static func error(_ text: String, program: String) {
    writeError("\(program): \(text)\n")
  }

  /// What an error says of itself, on one line.
  public static func sentence(for error: any Error) -> String {
    let text = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Text as it is, without a line end.
  public static func writeError(_ text: String) {
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}
