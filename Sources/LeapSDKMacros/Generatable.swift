// The compiler expands an extension macro where it looks for one of the `conformances`: without
// `Decodable` among them, a type used in another file would not always be found to be decodable.

#if GENERATABLE_MACROS
  /// Lets a model generate values of this type: makes it `GeneratableType`, with a JSON Schema that
  /// follows from its stored properties.
  ///
  /// Works on structs, final classes, classes that are `Codable` by themselves, and enums with
  /// String raw values. Properties may be of any `GeneratableValue` type: texts, numbers, booleans,
  /// arrays, sets, dictionaries with String keys, optionals, and other `@Generatable` types. The
  /// type becomes `Codable`; a `CodingKeys` enum inside it decides the names in JSON.
  ///
  /// - Parameter description: What a value stands for, in words for the model; a string literal.
  @attached(
    extension, conformances: GeneratableType, GeneratableValue, Encodable, Decodable,
    names: named(typeDescription), named(jsonSchema))
  public macro Generatable(_ description: String) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "GeneratableMacro")

  /// Lets a model generate values of this type, described to it by the type's name.
  @attached(
    extension, conformances: GeneratableType, GeneratableValue, Encodable, Decodable,
    names: named(typeDescription), named(jsonSchema))
  public macro Generatable() =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "GeneratableMacro")

  /// Describes a stored property of a `@Generatable` type to the model.
  ///
  /// - Parameter description: What the property holds; a string literal.
  @attached(peer)
  public macro Guide(_ description: String) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "GuideMacro")
#endif
