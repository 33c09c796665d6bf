/// A metadata value. Bytes of a string that are not UTF-8 are replaced by U+FFFD.
public enum GGUFValue: Sendable, Equatable {
  case uint8(UInt8)
  case int8(Int8)
  case uint16(UInt16)
  case int16(Int16)
  case uint32(UInt32)
  case int32(Int32)
  case float32(Float)
  case bool(Bool)
  case string(String)
  case array(GGUFArray)
  case uint64(UInt64)
  case int64(Int64)
  case float64(Double)

  public var type: GGUFValueType {
    switch self {
    case .uint8: .uint8
    case .int8: .int8
    case .uint16: .uint16
    case .int16: .int16
    case .uint32: .uint32
    case .int32: .int32
    case .float32: .float32
    case .bool: .bool
    case .string: .string
    case .array: .array
    case .uint64: .uint64
    case .int64: .int64
    case .float64: .float64
    }
  }

  /// The value of any integer type, where it fits.
  public var intValue: Int? {
    switch self {
    case .uint8(let value): Int(value)
    case .int8(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint32(let value): Int(exactly: value)
    case .int32(let value): Int(value)
    case .uint64(let value): Int(exactly: value)
    case .int64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value of either float type, rounded to single precision.
  public var floatValue: Float? {
    switch self {
    case .float32(let value): value
    case .float64(let value): Float(value)
    default: nil
    }
  }

  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var arrayValue: GGUFArray? {
    if case .array(let value) = self { value } else { nil }
  }
}
