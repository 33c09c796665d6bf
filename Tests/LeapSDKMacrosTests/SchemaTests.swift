import JSON
import LeapSDKMacros
import Testing

/// The type's schema and the expected one, both in the same spelling; members in order.
private func expect(
  _ type: (some GeneratableType).Type, has schema: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let expected = try JSONValue(parsing: schema).text(style: .pretty(indent: 1))
  let text = try JSONSchemaGenerator.getJSONSchema(for: type)
  let actual = try JSONValue(parsing: text).text(style: .pretty(indent: 1))
  #expect(actual == expected, sourceLocation: sourceLocation)
  #expect(try type.jsonSchema() == text, sourceLocation: sourceLocation)
}

@Suite struct SchemaTests {
  @Generatable("A joke") struct Joke {
    @Guide("t") let text: String
    let rating: Int?
  }

  @Test func aStructIsAnObjectWithItsPropertiesInOrder() throws {
    try expect(
      Joke.self,
      has: """
        {"type": "object", "title": "Joke", "description": "A joke",
          "properties": {"text": {"type": "string", "description": "t"},
            "rating": {"type": "integer"}},
          "required": ["text"]}
        """)
    #expect(Joke.typeDescription == "A joke")
    // Does not throw, unlike the requirement.
    let text: String = Joke.jsonSchema()
    #expect(!text.contains("\n"))
  }

  @Test func primitivesHaveTheirBounds() throws {
    try expect(
      Primitives.self,
      has: """
        {"type": "object", "title": "Primitives", "description": "All of them", "properties": {
          "text": {"type": "string"},
          "flag": {"type": "boolean"},
          "int": {"type": "integer"},
          "int8": {"type": "integer", "minimum": -128, "maximum": 127},
          "int16": {"type": "integer", "minimum": -32768, "maximum": 32767},
          "int32": {"type": "integer", "minimum": -2147483648, "maximum": 2147483647},
          "int64": {"type": "integer"},
          "uint": {"type": "integer", "minimum": 0},
          "uint8": {"type": "integer", "minimum": 0, "maximum": 255},
          "uint16": {"type": "integer", "minimum": 0, "maximum": 65535},
          "uint32": {"type": "integer", "minimum": 0, "maximum": 4294967295},
          "uint64": {"type": "integer", "minimum": 0},
          "float": {"type": "number", "minimum": -3.4028234663852886e38,
            "maximum": 3.4028234663852886e38},
          "double": {"type": "number"},
          "cgFloat": {"type": "number"},
          "decimal": {"type": "number"},
          "date": {"type": "string", "format": "date-time", "pattern": "^[^.]*Z$"},
          "data": {"type": "string",
            "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"},
          "url": {"type": "string", "format": "uri"},
          "uuid": {"type": "string", "format": "uuid"}
        }, "required": ["text", "flag", "int", "int8", "int16", "int32", "int64", "uint", "uint8",
          "uint16", "uint32", "uint64", "float", "double", "cgFloat", "decimal", "date", "data",
          "url", "uuid"]}
        """)
  }

  @Test func collectionsAndOptionalsGoAllTheWayDown() throws {
    try expect(
      Collections.self,
      has: """
        {"type": "object", "title": "Collections", "description": "Collections in collections",
          "properties": {
            "list": {"type": "array", "items": {"type": "string"}},
            "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            "long": {"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}},
            "unique": {"type": "array", "items": {"type": "string"}},
            "scores": {"type": "object", "additionalProperties": {"type": "number"}},
            "byName": {"type": "object",
              "additionalProperties": {"type": "array", "items": {"type": "integer"}}},
            "holes": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
            "maybe": {"type": "array", "items": {"type": "string"}},
            "longMaybe": {"type": "integer"},
            "twice": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "parenthesised": {"type": "string"}},
          "required": ["list", "grid", "long", "unique", "scores", "byName", "holes",
            "parenthesised"]}
        """)
  }

  @Test func nestedTypesLieInsideWithTheGuideAsTheirDescription() throws {
    try expect(
      Outer.Whole.self,
      has: """
        {"type": "object", "title": "Whole", "description": "The whole", "properties": {
          "main": {"type": "object", "title": "Part", "description": "Comes first",
            "properties": {"name": {"type": "string"}}, "required": ["name"]},
          "others": {"type": "array", "items": {"type": "object", "title": "Part",
            "description": "A part", "properties": {"name": {"type": "string"}},
            "required": ["name"]}},
          "spare": {"type": "object", "title": "Part", "description": "A part",
            "properties": {"name": {"type": "string"}}, "required": ["name"]},
          "byName": {"type": "object", "additionalProperties": {"type": "object", "title": "Deep",
            "description": "Deep", "properties": {"level": {"type": "integer"}},
            "required": ["level"]}}
        }, "required": ["main", "others", "byName"]}
        """)
    #expect(Outer.Whole.Inner.Deep.typeDescription == "Deep")
  }

  @Test func enumsAreTheirRawValues() throws {
    try expect(
      Kind.self, has: #"{"type": "string", "enum": ["plain", "default", "spelled \"out\""]}"#)
    try expect(
      Dish.self,
      has: """
        {"type": "object", "title": "Dish", "description": "A dish", "properties": {
          "kind": {"type": "string", "enum": ["plain", "default", "spelled \\"out\\""]},
          "heat": {"type": "string", "description": "Ask the cook", "enum": ["mild", "hot"]},
          "all": {"type": "array",
            "items": {"type": "string", "description": "How hot", "enum": ["mild", "hot"]}}
        }, "required": ["kind", "all"]}
        """)
    #expect(Kind.typeDescription == "Kind")
    #expect(Heat.typeDescription == "How hot")
  }

  @Test func codingKeysNameThePropertiesAndLeaveOutTheOthers() throws {
    try expect(
      Renamed.self,
      has: """
        {"type": "object", "title": "Renamed", "description": "Names in JSON", "properties": {
          "first_name": {"type": "string", "description": "snake"},
          "plain": {"type": "integer"},
          "a \\"class\\"": {"type": "string"}
        }, "required": ["first_name", "plain", "a \\"class\\""]}
        """)
  }

  @Test func onlyWhatDecodingFillsIsListed() throws {
    try expect(
      Mixed.self,
      has: """
        {"type": "object", "title": "Mixed", "description": "What is stored and what is not",
          "properties": {
            "a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "string"},
            "d": {"type": "boolean"}, "inferred": {"type": "number"},
            "spelled": {"type": "integer"}, "observed": {"type": "integer"},
            "hidden": {"type": "string"}, "alsoHidden": {"type": "integer"}},
          "required": ["a", "b", "c", "d", "inferred", "spelled", "observed", "hidden"]}
        """)
    try expect(
      Slogan.self,
      has: """
        {"type": "object", "title": "Slogan", "description": "Already Codable, in LEAP's way",
          "properties": {"slogan": {"type": "string", "description": "The words"}},
          "required": ["slogan"]}
        """)
    try expect(
      Nothing.self,
      has: """
        {"type": "object", "title": "Nothing", "description": "Nothing", "properties": {},
          "required": []}
        """)
  }

  @Test func classesAreObjectsToo() throws {
    try expect(
      Engine.self,
      has: """
        {"type": "object", "title": "Engine", "description": "A class", "properties": {
          "name": {"type": "string"}, "power": {"type": "number"}}, "required": ["name"]}
        """)
    try expect(
      Vehicle.self,
      has: """
        {"type": "object", "title": "Vehicle", "description": "An open class",
          "properties": {"wheels": {"type": "integer"}}, "required": ["wheels"]}
        """)
  }

  @Test func aliasesAndGenericParametersAreResolved() throws {
    try expect(
      Aliases.self,
      has: """
        {"type": "object", "title": "Aliases", "description": "Aliases", "properties": {
          "label": {"type": "array", "items": {"type": "string"}},
          "text": {"type": "string"}, "id": {"type": "string", "format": "uuid"}
        }, "required": ["text", "id"]}
        """)
    try expect(
      Pair<[Int], Heat>.self,
      has: """
        {"type": "object", "title": "Pair", "description": "A pair", "properties": {
          "first": {"type": "array", "items": {"type": "integer"}},
          "second": {"type": "array",
            "items": {"type": "string", "description": "How hot", "enum": ["mild", "hot"]}}
        }, "required": ["first", "second"]}
        """)
  }

  @Test func descriptionsKeepEveryScalar() throws {
    let schema = try JSONValue(parsing: Described.jsonSchema())
    #expect(schema["description"] == "Two lines:\n  \"quoted\" \\ back")
    let properties = schema["properties"]
    #expect(properties?["text"]?["description"] == "joined with \"plus\"")
    #expect(properties?["other"]?["description"] == "tab\t, 日本, 👩‍👩‍👧, \u{7}")
  }
}
