import CommandLineSupport
import JSON

/// Options that several commands share.
enum CommonOptions {
  static let json = Flag(
    "--json", help: "Print one JSON document on standard output and nothing else.")
}

extension Output {
  /// Prints a JSON document on one line.
  func write(json value: JSONValue) throws(OutputError) {
    try write(value.text(style: .compact) + "\n")
  }
}
