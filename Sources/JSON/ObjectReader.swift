/// Reads typed members of a JSON object. Absent and null members are nil; numbers may also be written
/// as strings. What has the wrong type throws an error that names the member.
package struct ObjectReader<Failure: Error> {
  package let object: JSONObject
  /// What the object is called in error texts.
  package let name: String
  /// Makes an error of a sentence.
  let makeFailure: (String) -> Failure

  package init(_ object: JSONObject, name: String, failure: @escaping (String) -> Failure) {
    self.object = object
    self.name = name
    makeFailure = failure
  }

  package func float(_ key: String) throws(Failure) -> Float? {
    guard let value = value(key) else { return nil }
    let number = value.doubleValue ?? value.stringValue.flatMap { Double($0) }
    guard let number, Float(number).isFinite else { throw failure(key, "a number") }
    return Float(number)
  }

  package func int(_ key: String) throws(Failure) -> Int? {
    guard let value = value(key) else { return nil }
    guard let number = value.intValue ?? value.stringValue.flatMap({ Int($0) }) else {
      throw failure(key, "a whole number")
    }
    return number
  }

  package func bool(_ key: String) throws(Failure) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let flag = value.boolValue else { throw failure(key, "true or false") }
    return flag
  }

  package func string(_ key: String) throws(Failure) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.stringValue else { throw failure(key, "a string") }
    return text
  }

  /// One string or a list of them.
  package func strings(_ key: String) throws(Failure) -> [String]? {
    guard let value = value(key) else { return nil }
    if let text = value.stringValue { return [text] }
    let texts = value.arrayValue?.map(\.stringValue)
    guard let texts, !texts.contains(nil) else { throw failure(key, "a string or a list of them") }
    return texts.compactMap(\.self)
  }

  package func object(_ key: String) throws(Failure) -> JSONObject? {
    guard let value = value(key) else { return nil }
    guard let object = value.objectValue else { throw failure(key, "a JSON object") }
    return object
  }

  /// A string that names one of the values of an enumeration.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String
  ) throws(Failure) -> Choice? {
    guard let text = try string(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw failure(
        key, "one of " + Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
    }
    return choice
  }

  /// The error for a member that is not what it must be.
  package func failure(_ key: String, _ wanted: String) -> Failure {
    makeFailure("\"\(key)\" in \(name) must be \(wanted).")
  }

  private func value(_ key: String) -> JSONValue? {
    object[key].flatMap { $0.isNull ? nil : $0 }
  }
}
