/// The type of a function's parameter, of an array's items or of an object's property.
public indirect enum LeapFunctionParameterType: Sendable, Equatable {
  case string(StringType)
  case number(NumberType)
  case integer(IntegerType)
  case boolean(BooleanType)
  case array(ArrayType)
  case object(ObjectType)
  case null(NullType)
}

/// The plain types, for use without a payload: `type: .string`.
extension LeapFunctionParameterType {
  public static var string: Self { .string(StringType()) }
  public static var number: Self { .number(NumberType()) }
  public static var integer: Self { .integer(IntegerType()) }
  public static var boolean: Self { .boolean(BooleanType()) }
  public static var null: Self { .null(NullType()) }

  public static func array(_ itemType: Self) -> Self { .array(ArrayType(itemType: itemType)) }
}

public struct StringType: Codable, Sendable, Equatable {
  public var enumValues: [String]?
  public var description: String?

  public init(enumValues: [String]? = nil, description: String? = nil) {
    self.enumValues = enumValues
    self.description = description
  }
}

public struct NumberType: Codable, Sendable, Equatable {
  public var enumValues: [Double]?
  public var description: String?

  public init(enumValues: [Double]? = nil, description: String? = nil) {
    self.enumValues = enumValues
    self.description = description
  }
}

public struct IntegerType: Codable, Sendable, Equatable {
  public var enumValues: [Int]?
  public var description: String?

  public init(enumValues: [Int]? = nil, description: String? = nil) {
    self.enumValues = enumValues
    self.description = description
  }
}

public struct BooleanType: Codable, Sendable, Equatable {
  public var description: String?

  public init(description: String? = nil) {
    self.description = description
  }
}

public struct ArrayType: Codable, Sendable, Equatable {
  public var itemType: LeapFunctionParameterType
  public var description: String?

  public init(itemType: LeapFunctionParameterType, description: String? = nil) {
    self.itemType = itemType
    self.description = description
  }
}

public struct ObjectType: Codable, Sendable, Equatable {
  public var properties: [String: LeapFunctionParameterType]
  public var required: [String]
  public var description: String?

  public init(
    properties: [String: LeapFunctionParameterType], required: [String] = [],
    description: String? = nil
  ) {
    self.properties = properties
    self.required = required
    self.description = description
  }
}

public struct NullType: Codable, Sendable, Equatable {
  public init() {}
}
