/// The type of a function's parameter, of an array's items or of an object's property.
public indirect enum LeapFunctionParameterType: Sendable, Equatable {
  /// Text.
  case string(StringType)
  /// A number, with or without a fraction.
  case number(NumberType)
  /// A whole number.
  case integer(IntegerType)
  /// True or false.
  case boolean(BooleanType)
  /// A list.
  case array(ArrayType)
  /// An object with named properties.
  case object(ObjectType)
  /// Nothing.
  case null(NullType)
}

/// The plain types, for use without a payload: `type: .string`.
extension LeapFunctionParameterType {
  /// Any text.
  public static var string: Self { .string(StringType()) }
  /// Any number.
  public static var number: Self { .number(NumberType()) }
  /// Any whole number.
  public static var integer: Self { .integer(IntegerType()) }
  /// True or false.
  public static var boolean: Self { .boolean(BooleanType()) }
  /// Nothing.
  public static var null: Self { .null(NullType()) }

  /// A list of values of one type.
  public static func array(_ itemType: Self) -> Self { .array(ArrayType(itemType: itemType)) }
}

/// Text, perhaps one of a few.
public struct StringType: Codable, Sendable, Equatable {
  /// The values to choose from; nil allows all.
  public var enumValues: [String]?
  /// What it holds, in words for the model.
  public var description: String?

  /// A text type.
  public init(enumValues: [String]? = nil, description: String? = nil) {
    self.enumValues = enumValues
    self.description = description
  }
}

/// A number, perhaps one of a few.
public struct NumberType: Codable, Sendable, Equatable {
  /// The values to choose from; nil allows all.
  public var enumValues: [Double]?
  /// What it holds, in words for the model.
  public var description: String?

  /// A number type.
  public init(enumValues: [Double]? = nil, description: String? = nil) {
    self.enumValues = enumValues
    self.description = description
  }
}

/// A whole number, perhaps one of a few.
public struct IntegerType: Codable, Sendable, Equatable {
  /// The values to choose from; nil allows all.
  public var enumValues: [Int]?
  /// What it holds, in words for the model.
  public var description: String?

  /// A whole-number type.
  public init(enumValues: [Int]? = nil, description: String? = nil) {
    self.enumValues = enumValues
    self.description = description
  }
}

/// True or false.
public struct BooleanType: Codable, Sendable, Equatable {
  /// What it holds, in words for the model.
  public var description: String?

  /// A truth value with a description for the model.
  public init(description: String? = nil) {
    self.description = description
  }
}

/// A list of values of one type.
public struct ArrayType: Codable, Sendable, Equatable {
  /// The type of each element.
  public var itemType: LeapFunctionParameterType
  /// What it holds, in words for the model.
  public var description: String?

  /// A list type.
  public init(itemType: LeapFunctionParameterType, description: String? = nil) {
    self.itemType = itemType
    self.description = description
  }
}

/// An object with named properties.
public struct ObjectType: Codable, Sendable, Equatable {
  /// The types of the properties by name.
  public var properties: [String: LeapFunctionParameterType]
  /// The names of the properties that must be there.
  public var required: [String]
  /// What it holds, in words for the model.
  public var description: String?

  /// An object type.
  public init(
    properties: [String: LeapFunctionParameterType], required: [String] = [],
    description: String? = nil
  ) {
    self.properties = properties
    self.required = required
    self.description = description
  }
}

/// Nothing.
public struct NullType: Codable, Sendable, Equatable {
  /// The type of nothing.
  public init() {}
}
