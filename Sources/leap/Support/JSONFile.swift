import CommandLineSupport
import JSON

/// Reads JSON files with errors that name the file and the place.
enum JSONFile {
  static func read(_ path: String) throws -> JSONValue {
    let text = try InputFile.text(path)
    do throws(JSONParseError) {
      return try JSONValue(parsing: text)
    } catch {
      throw CommandFailure(
        "The file '\(path)' is not valid JSON: \(error.message) "
          + "(line \(error.line), column \(error.column)).")
    }
  }
}
