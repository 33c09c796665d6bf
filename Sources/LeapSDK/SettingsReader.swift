import JSON

/// Reads settings from a JSON object; what has the wrong type throws `invalidInput`.
typealias SettingsReader = ObjectReader<LeapError>

extension SettingsReader {
  /// The settings of an `extras` option; nil if there are none.
  ///
  /// - Throws: `invalidInput` if the text is no JSON object.
  init?(extras text: String?) throws(LeapError) {
    guard let text, !text.utf8.allSatisfy({ $0 <= 0x20 }) else { return nil }
    let value: JSONValue
    do { value = try JSONValue(parsing: text) } catch {
      throw .invalidInput("extras is not valid JSON: \(error.description)")
    }
    guard let object = value.objectValue else {
      throw .invalidInput("extras must be a JSON object, like {\"stop\": \"END\"}.")
    }
    self.init(object, name: "extras") { .invalidInput($0) }
  }
}
