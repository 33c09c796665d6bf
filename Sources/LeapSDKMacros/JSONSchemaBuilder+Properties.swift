import JSON

extension JSONSchemaBuilder {
  /// The properties of one type, in order. The key paths say which type a property has.
  public struct Properties<Root> {
    var builder: JSONSchemaBuilder
    var schemas = JSONObject()
    var required: [JSONValue] = []
    var names: [AnyKeyPath: String] = [:]

    init(builder: JSONSchemaBuilder) { self.builder = builder }

    /// Adds a property that is always there.
    public mutating func add<Value: GeneratableValue>(
      _ name: String, _ property: KeyPath<Root, Value>, description: String? = nil
    ) {
      add(name, Value.self, description)
      names[property] = name
      required.append(.string(name))
    }

    /// Adds a property that may be left out.
    public mutating func add<Value: GeneratableValue>(
      _ name: String, _ property: KeyPath<Root, Value?>, description: String? = nil
    ) {
      add(name, Value.self, description)
      names[property] = name
    }

    private mutating func add<Value: GeneratableValue>(
      _ name: String, _ type: Value.Type, _ description: String?
    ) {
      var schema = builder.schema(of: type)
      if let description { schema = schema.with("description", .string(description)) }
      schemas[name] = .object(schema.keywords)
    }
  }
}
