import JSON

/// Reads typed settings from a JSON object. Absent and null members are nil; numbers may also be
/// written as strings. What has the wrong type throws an `invalidInput` that names the member.
struct SettingsReader {
  let object: JSONObject
  /// What the object is called in error texts.
  let name: String

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
    self.init(object, name: "extras")
  }

  init(_ object: JSONObject, name: String) {
    self.object = object
    self.name = name
  }

  func float(_ key: String) throws(LeapError) -> Float? {
    guard let value = value(key) else { return nil }
    let number = value.doubleValue ?? value.stringValue.flatMap { Double($0) }
    guard let number, Float(number).isFinite else { throw failure(key, "a number") }
    return Float(number)
  }

  func int(_ key: String) throws(LeapError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let number = value.intValue ?? value.stringValue.flatMap({ Int($0) }) else {
      throw failure(key, "a whole number")
    }
    return number
  }

  func bool(_ key: String) throws(LeapError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let flag = value.boolValue else { throw failure(key, "true or false") }
    return flag
  }

  func string(_ key: String) throws(LeapError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.stringValue else { throw failure(key, "a string") }
    return text
  }

  /// One string or a list of them.
  func strings(_ key: String) throws(LeapError) -> [String]? {
    guard let value = value(key) else { return nil }
    if let text = value.stringValue { return [text] }
    let texts = value.arrayValue?.map(\.stringValue)
    guard let texts, !texts.contains(nil) else { throw failure(key, "a string or a list of them") }
    return texts.compactMap(\.self)
  }

  func object(_ key: String) throws(LeapError) -> JSONObject? {
    guard let value = value(key) else { return nil }
    guard let object = value.objectValue else { throw failure(key, "a JSON object") }
    return object
  }

  /// A string that names one of the values of an enumeration.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String
  ) throws(LeapError) -> Choice? {
    guard let text = try string(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw failure(
        key, "one of " + Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
    }
    return choice
  }

  func failure(_ key: String, _ wanted: String) -> LeapError {
    .invalidInput("\"\(key)\" in \(name) must be \(wanted).")
  }

  private func value(_ key: String) -> JSONValue? {
    object[key].flatMap { $0.isNull ? nil : $0 }
  }
}
