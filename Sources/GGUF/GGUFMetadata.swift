/// The key-value pairs of a GGUF file, in file order.
public struct GGUFMetadata: Sendable {
  public private(set) var keys: [String] = []
  private var values: [String: GGUFValue] = [:]

  public init() {}

  public var count: Int { keys.count }

  /// Setting a new key appends it, setting nil removes the key.
  public subscript(key: String) -> GGUFValue? {
    get { values[key] }
    set {
      let previous = values[key]
      values[key] = newValue
      switch (previous, newValue) {
      case (nil, .some): keys.append(key)
      case (.some, nil): keys.removeAll { $0 == key }
      default: break
      }
    }
  }

  /// The string under a key, nil where the key is absent.
  public func string(_ key: String) throws(GGUFError) -> String? {
    try value(key, \.stringValue, "a string")
  }

  /// The integer of any width under a key, nil where the key is absent.
  public func int(_ key: String) throws(GGUFError) -> Int? {
    if case .uint64(let value)? = values[key], Int(exactly: value) == nil {
      throw .integerOutOfRange(key: key)
    }
    return try value(key, \.intValue, "an integer")
  }

  /// The float under a key, nil where the key is absent.
  public func float(_ key: String) throws(GGUFError) -> Float? {
    try value(key, \.floatValue, "a float")
  }

  /// The boolean under a key, nil where the key is absent.
  public func bool(_ key: String) throws(GGUFError) -> Bool? {
    try value(key, \.boolValue, "a bool")
  }

  /// The array under a key, nil where the key is absent.
  public func array(_ key: String) throws(GGUFError) -> GGUFArray? {
    try value(key, \.arrayValue, "an array")
  }

  private func value<T>(
    _ key: String, _ access: (GGUFValue) -> T?, _ expected: String
  ) throws(GGUFError) -> T? {
    guard let value = values[key] else { return nil }
    guard let result = access(value) else {
      throw .wrongType(key: key, expected: expected, found: value.type)
    }
    return result
  }
}
