import Foundation

extension JSONValue {
  /// The value of a Foundation JSON object (as `JSONSerialization` makes and takes them): strings,
  /// numbers, booleans, `NSNull`, arrays and dictionaries with string keys; nil for anything else,
  /// for numbers that JSON lacks, and beyond `defaultDepthLimit` levels.
  ///
  /// Dictionaries have no order: their keys are sorted by their bytes.
  public init?(any: Any) {
    let conversion = TreeConversion<Any, JSONValue>(
      depthLimit: Self.defaultDepthLimit, node: Self.node
    ) { keys, children in
      guard let keys else { return .array(children) }
      return .object(JSONObject(zip(keys, children).lazy.map { (key: $0, value: $1) }))
    }
    guard let value = conversion.convert(any) else { return nil }
    self = value
  }

  /// The value as Foundation JSON objects: `NSNull`, `Bool`, `Int`, `Double`, `String`, `[Any]` and
  /// `[String: Any]`. Numbers that JSON lacks become `NSNull`, so that `JSONSerialization` takes
  /// every array and object made here.
  public var foundationObject: Any {
    let conversion = TreeConversion<JSONValue, Any>(depthLimit: .max) { value in
      switch value {
      case .null: .leaf(NSNull())
      case .bool(let value): .leaf(value)
      case .int(let value): .leaf(value)
      case .double(let value): .leaf(value.isFinite ? value : NSNull())
      case .string(let value): .leaf(value)
      case .array(let elements): .container(keys: nil, children: elements)
      case .object(let object):
        .container(keys: object.keys, children: object.members.map(\.value))
      }
    } combine: { keys, children in
      guard let keys else { return children }
      // Keys that differ only in their bytes are one key to a Swift dictionary: the last one stays.
      return Dictionary(zip(keys, children)) { _, last in last }
    }
    return conversion.convert(self) ?? NSNull()
  }

  private static func node(_ any: Any) -> TreeConversion<Any, JSONValue>.Node? {
    switch any {
    // First of all: to cast an array to a class makes a whole tree of objects of it.
    case let value as [Any]: .container(keys: nil, children: value)
    case let value as [String: Any]:
      container(value.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    case let value as JSONValue: .leaf(value)
    case let value as JSONObject: .leaf(.object(value))
    case is NSNull: .leaf(.null)
    case let value as String: .leaf(.string(value))
    case let value as NSNumber: leaf(value)
    case let value as Bool: .leaf(.bool(value))
    case let value as any BinaryInteger: .leaf(integer(value))
    case let value as any BinaryFloatingPoint: leaf(Double(value))
    default: nil
    }
  }

  private static func container(
    _ members: [(key: String, value: Any)]
  ) -> TreeConversion<Any, JSONValue>.Node {
    .container(keys: members.map(\.key), children: members.map(\.value))
  }

  private static func leaf(_ number: NSNumber) -> TreeConversion<Any, JSONValue>.Node? {
    // `as? Bool` also accepts the numbers 0 and 1; only the two boolean objects are booleans.
    if number === NSNumber(value: true) || number === NSNumber(value: false) {
      return .leaf(.bool(number.boolValue))
    }
    if ["f", "d"].contains(String(cString: number.objCType)) { return leaf(number.doubleValue) }
    return Int(exactly: number).map { .leaf(.int($0)) } ?? leaf(number.doubleValue)
  }

  private static func leaf(_ double: Double) -> TreeConversion<Any, JSONValue>.Node? {
    double.isFinite ? .leaf(.double(double)) : nil
  }

  private static func integer(_ value: some BinaryInteger) -> JSONValue {
    Int(exactly: value).map { .int($0) } ?? .double(Double(value))
  }
}
