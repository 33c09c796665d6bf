/// A JSON object whose members keep the order in which their keys were first set.
///
/// Keys are compared by their bytes. Looking a key up takes constant time on average, removing one
/// linear time. Equality ignores the order of the members, as JSON and Python do.
public struct JSONObject: Sendable {
  public private(set) var keys: [String] = []
  private var values: [JSONValue] = []
  /// Places by key; kept only for objects too big to search through.
  private var places: [ByteString: Int] = [:]

  private static let searchLimit = 8

  public init() {}

  /// The members in order; of members with the same key the last value wins at the first place.
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    for (key, value) in members { self[key] = value }
  }

  public var count: Int { keys.count }
  public var isEmpty: Bool { keys.isEmpty }

  public var members: [(key: String, value: JSONValue)] {
    zip(keys, values).map { (key: $0, value: $1) }
  }

  /// Setting nil removes the member.
  public subscript(key: String) -> JSONValue? {
    get { place(of: key).map { values[$0] } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): values[place] = value
      case (let place?, nil): remove(at: place)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// The member at a place from 0 up to `count`.
  subscript(place place: Int) -> (key: String, value: JSONValue) { (keys[place], values[place]) }

  private func place(of key: String) -> Int? {
    if places.isEmpty {
      let key = ByteString(key)
      return keys.firstIndex { ByteString($0) == key }
    }
    return places[ByteString(key)]
  }

  private mutating func append(_ key: String, _ value: JSONValue) {
    keys.append(key)
    values.append(value)
    if !places.isEmpty {
      places[ByteString(key)] = keys.count - 1
    } else if keys.count > Self.searchLimit {
      indexKeys()
    }
  }

  private mutating func remove(at place: Int) {
    keys.remove(at: place)
    values.remove(at: place)
    places = [:]
    if keys.count > Self.searchLimit { indexKeys() }
  }

  private mutating func indexKeys() {
    places.reserveCapacity(keys.count)
    for (place, key) in keys.enumerated() { places[ByteString(key)] = place }
  }
}

extension JSONObject: Hashable {
  public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
    JSONValue.object(lhs) == .object(rhs)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}
