import JSON

/// A value as far as a model has generated it.
///
/// Properties are read under their own names and are nil until there is something of them:
/// `partial.title` is the `String?` that grows while the title is written. Strings, URLs and arrays
/// may be unfinished; numbers, booleans, enums, dates and so on come whole.
@dynamicMemberLookup
public struct PartiallyGenerated<Value: GeneratableType> {
  private let text: PartialJSON
  private let whole: Value?

  init(text: PartialJSON, whole: Value?) {
    self.text = text
    self.whole = whole
  }

  /// Whether this is the whole value.
  public var isComplete: Bool { whole != nil }

  /// The value as far as it decodes; nil while a required property is missing.
  public var value: Value? {
    whole ?? firstDecodable { try AnswerDecoder.decode(Value.self, from: $0) }
  }

  /// The text so far as valid JSON: unfinished strings, arrays and objects are closed, unfinished
  /// keys, numbers and literals left out. Empty where there is nothing yet.
  public var json: String { text.closed() ?? "" }

  /// A property as far as it was generated. (Always nil in a type that conforms to
  /// `GeneratableType` by hand.)
  public subscript<Property: GeneratableValue>(
    dynamicMember property: KeyPath<Value, Property>
  ) -> Property? {
    member(property)
  }

  /// An optional property as far as it was generated.
  public subscript<Property: GeneratableValue>(
    dynamicMember property: KeyPath<Value, Property?>
  ) -> Property? {
    member(property)
  }

  private func member<Property: Decodable>(_ property: PartialKeyPath<Value>) -> Property? {
    guard let name = JSONSchemaGenerator.propertyNames(of: Value.self)[property] else { return nil }
    return firstDecodable { json in
      guard let member = try JSONValue(parsing: json)[name] else { return nil }
      return try AnswerDecoder.decode(Property.self, from: member.text())
    }
  }

  /// Tries the text without more and more of its unfinished end.
  private func firstDecodable<Result>(_ decode: (String) throws -> Result?) -> Result? {
    for levels in 0...text.depth {
      guard let json = text.closed(leavingOut: levels) else { return nil }
      guard let result = try? decode(json) else { continue }
      // A cut string is a value only where any string is one: of an enum's cases, "main" may yet
      // become "mainland".
      if levels == 0, text.isInsideString,
        let other = text.closed(mark: "x"), (try? decode(other)) == nil
      {
        continue
      }
      return result
    }
    return nil
  }
}

extension PartiallyGenerated: Sendable where Value: Sendable {}
