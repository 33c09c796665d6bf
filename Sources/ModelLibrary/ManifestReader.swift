import JSON

/// Reads members of a manifest.
typealias ManifestReader = ObjectReader<ManifestError>

extension ManifestReader {
  init(_ object: JSONObject, name: String) {
    self.init(object, name: name) { ManifestError($0) }
  }

  func required(_ key: String) throws(ManifestError) -> String {
    guard let text = try string(key) else {
      throw ManifestError("The member \"\(key)\" is missing in \(name).")
    }
    return text
  }

  /// The members of an object inside; an absent one has none.
  func section(_ key: String) throws(ManifestError) -> ManifestReader {
    ManifestReader(try object(key) ?? JSONObject(), name: key)
  }
}
