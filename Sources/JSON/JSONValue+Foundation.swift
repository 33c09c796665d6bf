import Foundation

extension JSONValue {
  /// The value of a Foundation JSON object (as `JSONSerialization` makes and takes them): strings,
  /// numbers, booleans, `NSNull`, arrays and dictionaries with string keys; nil for anything else,
  /// for numbers that JSON lacks, and beyond `defaultDepthLimit` levels.
  ///
  /// Dictionaries have no order: their keys are sorted by their bytes.
  public init?(any: Any) {
    self.init(any: any, depthLimit: Self.defaultDepthLimit)
  }

  private init?(any: Any, depthLimit: Int) {
    switch any {
    case let value as JSONValue: self = value
    case let value as JSONObject: self = .object(value)
    case is NSNull: self = .null
    case let value as String: self = .string(value)
    case let value as NSNumber: self.init(number: value)
    case let value as Bool: self = .bool(value)
    case let value as any BinaryInteger: self.init(integer: value)
    case let value as any BinaryFloatingPoint: self.init(double: Double(value))
    case let value as [Any]:
      guard depthLimit > 0 else { return nil }
      var elements: [JSONValue] = []
      for element in value {
        guard let element = JSONValue(any: element, depthLimit: depthLimit - 1) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case let value as [String: Any]:
      guard depthLimit > 0 else { return nil }
      var object = JSONObject()
      for key in value.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        guard let member = value[key].flatMap({ JSONValue(any: $0, depthLimit: depthLimit - 1) })
        else { return nil }
        object[key] = member
      }
      self = .object(object)
    default: return nil
    }
  }

  private init?(number: NSNumber) {
    // `as? Bool` also accepts the numbers 0 and 1; only the two boolean objects are booleans.
    if number === NSNumber(value: true) || number === NSNumber(value: false) {
      self = .bool(number.boolValue)
    } else if ["f", "d"].contains(String(cString: number.objCType)) {
      self.init(double: number.doubleValue)
    } else if let value = Int(exactly: number) {
      self = .int(value)
    } else {
      self.init(double: number.doubleValue)
    }
  }

  private init(integer: some BinaryInteger) {
    self = Int(exactly: integer).map { .int($0) } ?? .double(Double(integer))
  }

  private init?(double: Double) {
    guard double.isFinite else { return nil }
    self = .double(double)
  }

  /// The value as Foundation JSON objects: `NSNull`, `Bool`, `Int`, `Double`, `String`, `[Any]` and
  /// `[String: Any]`. Numbers that JSON lacks become `NSNull`, so that `JSONSerialization` takes
  /// every array and object made here.
  public var foundationObject: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value.isFinite ? value : NSNull()
    case .string(let value): value
    case .array(let elements): elements.map(\.foundationObject)
    case .object(let object): object.foundationObject
    }
  }
}

extension JSONObject {
  /// The members as a dictionary of Foundation JSON objects.
  public var foundationObject: [String: Any] {
    // Keys that differ only in their bytes are one key to a Swift dictionary: the last one stays.
    Dictionary(members.map { ($0.key, $0.value.foundationObject) }) { _, last in last }
  }
}
