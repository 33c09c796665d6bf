import JSON

/// Puts the schema of a type together from those of its parts. The code that `@Generatable` writes
/// uses it.
///
/// A type that contains itself is described once, and referred to by `$ref` where it recurs.
public struct JSONSchemaBuilder {
  /// The types being described, the outermost first.
  private var open: [ObjectIdentifier] = []
  /// The names in `$defs` of types that recur inside themselves. The outermost type has none: it is
  /// `#`, the whole schema.
  private var names: [ObjectIdentifier: String] = [:]
  private var definitions = JSONObject()
  /// The names in JSON of the outermost type's properties.
  private(set) var propertyNames: [AnyKeyPath: String] = [:]
  /// Why a schema written by hand cannot be used.
  private(set) var problem: (any Error)?

  init() {}

  /// The whole schema of a type.
  mutating func document<Value: GeneratableValue>(of type: Value.Type) -> JSONObject {
    let schema = schema(of: type)
    return definitions.isEmpty
      ? schema.keywords : schema.with("$defs", .object(definitions)).keywords
  }

  /// The schema of a part.
  mutating func schema<Value: GeneratableValue>(of type: Value.Type) -> JSONSchema {
    type.jsonSchema(in: &self)
  }

  mutating func array<Element: GeneratableValue>(of element: Element.Type) -> JSONSchema {
    JSONSchema(type: "array").with("items", .object(schema(of: element).keywords))
  }

  /// The schema of a String among `values`.
  public mutating func choice(_ values: [String], description: String?) -> JSONSchema {
    var schema = JSONSchema(type: "string")
    if let description { schema = schema.with("description", .string(description)) }
    return schema.with("enum", .array(values.map { .string($0) }))
  }

  /// The schema of a struct or class with the properties that `list` adds.
  public mutating func object<Root: GeneratableType>(
    _ type: Root.Type, title: String, description: String,
    _ list: (inout Properties<Root>) -> Void
  ) -> JSONSchema {
    let id = ObjectIdentifier(type)
    if let name = names[id] { return reference(to: name) }
    if let place = open.firstIndex(of: id) {
      if place == 0 { return JSONSchema(["$ref": "#"]) }
      let name = unusedName(title)
      names[id] = name
      return reference(to: name)
    }
    open.append(id)
    var properties = Properties<Root>(builder: self)
    list(&properties)
    self = properties.builder
    open.removeLast()
    if open.isEmpty { propertyNames = properties.names }

    let schema = JSONSchema([
      "type": "object", "title": .string(title), "description": .string(description),
      "properties": .object(properties.schemas), "required": .array(properties.required),
    ])
    guard let name = names[id] else { return schema }
    definitions[name] = .object(schema.keywords)
    return reference(to: name)
  }

  /// The schema in a JSON text written by hand.
  mutating func parse(_ text: () throws -> String) -> JSONSchema {
    do {
      guard case .object(var keywords) = try JSONValue(parsing: text()) else {
        throw JSONSchemaError.noObject
      }
      // References count from the outermost schema.
      for (name, definition) in keywords["$defs"]?.objectValue?.members ?? [] {
        if let other = definitions[name], other != definition {
          throw JSONSchemaError.definedTwice(name: name)
        }
        definitions[name] = definition
      }
      keywords["$defs"] = nil
      return JSONSchema(keywords)
    } catch {
      return refuse(error)
    }
  }

  /// A schema that nothing satisfies; whoever compiles it will say so.
  private mutating func refuse(_ error: any Error) -> JSONSchema {
    problem = problem ?? error
    return JSONSchema(["not": [:], "$comment": .string("\(error)")])
  }

  private func reference(to name: String) -> JSONSchema {
    JSONSchema(["$ref": .string("#/$defs/\(name)")])
  }

  private func unusedName(_ title: String) -> String {
    let used = Set(names.values).union(definitions.keys)
    var name = title
    var number = 1
    while used.contains(name) {
      number += 1
      name = "\(title)\(number)"
    }
    return name
  }
}
