import JSON
import LeapSDKMacros
import Testing

private func schema(of type: (some GeneratableType).Type) throws -> JSONValue {
  try JSONValue(parsing: JSONSchemaGenerator.getJSONSchema(for: type))
}

@Suite struct SchemaReferenceTests {
  @Test func aTypeInsideItselfRefersToTheWhole() throws {
    #expect(
      try schema(of: Node.self) == [
        "type": "object", "title": "Node", "description": "A tree",
        "properties": [
          "label": ["type": "string"], "children": ["type": "array", "items": ["$ref": "#"]],
        ],
        "required": ["label", "children"],
      ])
  }

  @Test func aRecursiveTypeInsideAnotherIsDefinedOnce() throws {
    #expect(
      try schema(of: Forest.self) == [
        "type": "object", "title": "Forest", "description": "A forest",
        "properties": [
          "first": ["$ref": "#/$defs/Node", "description": "The tallest"],
          "rest": ["type": "array", "items": ["$ref": "#/$defs/Node"]],
        ],
        "required": ["first", "rest"],
        "$defs": [
          "Node": [
            "type": "object", "title": "Node", "description": "A tree",
            "properties": [
              "label": ["type": "string"],
              "children": ["type": "array", "items": ["$ref": "#/$defs/Node"]],
            ],
            "required": ["label", "children"],
          ]
        ],
      ])
  }

  @Test func typesMayContainEachOther() throws {
    let schema = try schema(of: Owner.self)
    #expect(schema["properties"]?["owned"]?["additionalProperties"]?["$ref"] == "#/$defs/Folder")
    let folder = schema["$defs"]?["Folder"]?["properties"]
    #expect(folder?["parent"]?["$ref"] == "#")
    #expect(folder?["folders"]?["items"]?["$ref"] == "#/$defs/Folder")
  }

  @Test func twoRecursiveTypesOfOneNameAreKeptApart() throws {
    let schema = try schema(of: Holder.self)
    #expect(schema["properties"]?["first"]?["$ref"] == "#/$defs/Item")
    #expect(schema["properties"]?["second"]?["$ref"] == "#/$defs/Item2")
    #expect(schema["$defs"]?["Item"]?["description"] == "one")
    #expect(schema["$defs"]?["Item2"]?["description"] == "two")
  }

  @Generatable struct Holder {
    let first: One.Item
    let second: Two.Item
  }

  enum One {
    @Generatable("one") struct Item { let items: [Item] }
  }

  enum Two {
    @Generatable("two") struct Item { let items: [Item] }
  }

  @Test func aSchemaWrittenByHandIsTakenOver() throws {
    #expect(
      try schema(of: Weather.self) == [
        "type": "object", "title": "Weather", "description": "Weather",
        "properties": [
          "temperature": [
            "type": "object", "properties": ["celsius": ["$ref": "#/$defs/C"]],
            "required": ["celsius"], "description": "outside",
          ]
        ],
        "required": ["temperature"], "$defs": ["C": ["type": "number", "minimum": -273.15]],
      ])
    #expect(try schema(of: ByHand.self) == JSONValue(parsing: ByHand.jsonSchema()))
  }

  @Test func aSchemaThatCannotBeUsedIsAnErrorAndRefusesEverything() throws {
    #expect(throws: JSONParseError.self) { try schema(of: HoldsBroken.self) }
    let text = HoldsBroken.jsonSchema()
    let items = try JSONValue(parsing: text)["properties"]?["parts"]?["items"]
    #expect(items?["not"] == [:])
  }
}
