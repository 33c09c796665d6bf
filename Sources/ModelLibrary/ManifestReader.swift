import JSON

/// Reads typed members of a manifest. Absent and null members are nil; numbers may also be written
/// as strings.
struct ManifestReader {
  let object: JSONObject
  /// What the object is called in error texts.
  let name: String

  init(_ object: JSONObject, name: String) {
    self.object = object
    self.name = name
  }

  func float(_ key: String) throws(ManifestError) -> Float? {
    guard let value = value(key) else { return nil }
    let number = value.doubleValue ?? value.stringValue.flatMap { Double($0) }
    guard let number, Float(number).isFinite else { throw failure(key, "a number") }
    return Float(number)
  }

  func int(_ key: String) throws(ManifestError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let number = value.intValue ?? value.stringValue.flatMap({ Int($0) }) else {
      throw failure(key, "a whole number")
    }
    return number
  }

  func string(_ key: String) throws(ManifestError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.stringValue else { throw failure(key, "a string") }
    return text
  }

  func required(_ key: String) throws(ManifestError) -> String {
    guard let text = try string(key) else {
      throw ManifestError("The member \"\(key)\" is missing in \(name).")
    }
    return text
  }

  /// An absent object is an empty one.
  func object(_ key: String) throws(ManifestError) -> ManifestReader {
    guard let value = value(key) else { return ManifestReader(JSONObject(), name: key) }
    guard let object = value.objectValue else { throw failure(key, "a JSON object") }
    return ManifestReader(object, name: key)
  }

  func failure(_ key: String, _ wanted: String) -> ManifestError {
    ManifestError("\"\(key)\" in \(name) must be \(wanted).")
  }

  private func value(_ key: String) -> JSONValue? {
    object[key].flatMap { $0.isNull ? nil : $0 }
  }
}
