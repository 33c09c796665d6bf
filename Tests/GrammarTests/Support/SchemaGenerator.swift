import JSON

/// Makes random schemas that some value satisfies, of the keywords that grammars support.
struct SchemaGenerator {
  private var random: RandomSource
  private var definitions = JSONObject()
  private var references: [String] = []

  /// The schema of a seed; the same one every time.
  static func schema(seed: UInt64) -> JSONValue {
    var generator = SchemaGenerator(random: RandomSource(seed: seed &* 7_919 &+ 13))
    return generator.document()
  }

  private init(random: RandomSource) { self.random = random }

  private mutating func document() -> JSONValue {
    let count = random.pick([0, 0, 1, 2])
    references = (0..<count).map { ["node", "a/b~c", "Größe"][$0] }
    for name in references { definitions[name] = recursiveObject(name) }
    var schema = random.chance(0.7) ? object(depth: 3) : value(depth: 3)
    if !definitions.isEmpty, var root = schema.objectValue {
      root["$defs"] = .object(definitions)
      schema = .object(root)
    }
    return schema
  }

  private mutating func value(depth: Int) -> JSONValue {
    let composite = depth > 0 && random.chance(0.55)
    guard composite else { return scalar() }
    switch random.int(0...9) {
    case 0...3: return object(depth: depth - 1)
    case 4...5: return array(depth: depth - 1)
    case 6: return union(depth: depth - 1)
    case 7: return conjunction(depth: depth - 1)
    case 8: return references.isEmpty ? object(depth: depth - 1) : reference()
    default: return random.chance(0.3) ? [:] : .object(["type": random.pick(["object", "array"])])
    }
  }

  private mutating func scalar() -> JSONValue {
    switch random.int(0...11) {
    case 0: return ["type": "boolean"]
    case 1: return ["type": "null"]
    case 2...3: return integer()
    case 4...5: return number()
    case 6...9: return string()
    case 10:
      return [
        "type": .array(
          random.pick([["string", "null"], ["integer", "boolean"], ["number", "null"]]))
      ]
    default: return enumeration()
    }
  }

  // MARK: Objects

  private static let names = [
    "a", "b", "ab", "abc", "name", "streetNumber", "x y", "größe", "天気", "😀", "e\u{301}", "é",
    "with\"quote", "back\\slash", "line\nbreak", "tab\t", "", "$ref", "type", "/", "~", "\u{7F}",
    "\u{1}", "0", "-",
  ]

  private mutating func object(depth: Int) -> JSONValue {
    var schema: JSONObject = ["type": "object"]
    let names = Array(Self.names.shuffled(using: &random).prefix(random.int(0...5)))
    var properties = JSONObject()
    for name in names { properties[name] = value(depth: depth) }
    if !names.isEmpty || random.chance(0.5) { schema["properties"] = .object(properties) }
    let required = names.filter { _ in random.chance(0.6) }
    if !required.isEmpty || random.chance(0.3) {
      // The order here says nothing.
      schema["required"] = .array(required.shuffled(using: &random).map { .string($0) })
    }
    switch random.int(0...5) {
    case 0: schema["additionalProperties"] = true
    case 1: schema["additionalProperties"] = depth > 0 ? value(depth: 0) : ["type": "integer"]
    case 2...3: schema["additionalProperties"] = false
    default: break
    }
    return annotated(schema)
  }

  /// An object that may hold more of its kind, but need not.
  private mutating func recursiveObject(_ name: String) -> JSONValue {
    let again = reference(to: random.pick(references))
    var properties: JSONObject = ["value": scalar()]
    switch random.int(0...2) {
    case 0: properties["next"] = again
    case 1: properties["children"] = ["type": "array", "items": again]
    default: properties["next"] = ["anyOf": [again, ["type": "null"]]]
    }
    return .object([
      "type": "object", "properties": .object(properties),
      "required": properties["next"]?["anyOf"] == nil ? ["value"] : ["value", "next"],
      "additionalProperties": false,
    ])
  }

  private mutating func reference() -> JSONValue { reference(to: random.pick(references)) }

  private func reference(to name: String) -> JSONValue {
    let pointer = name.replacing("~", with: "~0").replacing("/", with: "~1")
    return ["$ref": .string("#/$defs/" + pointer)]
  }

  private mutating func annotated(_ schema: JSONObject) -> JSONValue {
    var schema = schema
    if random.chance(0.2) { schema["title"] = "T" }
    if random.chance(0.2) { schema["description"] = "Says \"what\" it is." }
    if random.chance(0.1) { schema["default"] = .null }
    if random.chance(0.1) { schema["examples"] = [1, "b"] }
    return .object(schema)
  }

  // MARK: Arrays and combinations

  private mutating func array(depth: Int) -> JSONValue {
    var schema: JSONObject = ["type": "array"]
    if random.chance(0.8) { schema["items"] = value(depth: depth) }
    if random.chance(0.25) {
      schema["prefixItems"] = .array((0..<random.int(1...3)).map { _ in value(depth: depth) })
      if random.chance(0.4) { schema["items"] = false }
    }
    if schema["items"] == false {
      let count = schema["prefixItems"]?.arrayValue?.count ?? 0
      if random.chance(0.5) { schema["minItems"] = .int(random.int(0...count)) }
      return annotated(schema)
    }
    let least = random.int(0...3)
    if random.chance(0.4) { schema["minItems"] = .int(least) }
    if random.chance(0.5) { schema["maxItems"] = .int(least + random.int(0...4)) }
    return annotated(schema)
  }

  private mutating func union(depth: Int) -> JSONValue {
    if random.chance(0.3) {
      // Of different types, so that exactly one fits.
      return ["oneOf": [string(), integer(), object(depth: depth), ["type": "null"]]]
    }
    return ["anyOf": .array((0..<random.int(1...3)).map { _ in value(depth: depth) })]
  }

  private mutating func conjunction(depth: Int) -> JSONValue {
    switch random.int(0...2) {
    case 0: return .object(["description": "one part", "allOf": [value(depth: depth)]])
    case 1:
      return [
        "allOf": [
          ["type": "integer", "minimum": .int(random.int(-20...0))],
          ["maximum": .int(random.int(0...30))],
        ]
      ]
    default:
      return [
        "allOf": [
          ["type": "object", "properties": ["left": scalar()], "required": ["left"]],
          ["type": "object", "properties": ["right": value(depth: 0)]],
        ]
      ]
    }
  }
}

// MARK: - Scalars

extension SchemaGenerator {
  private mutating func integer() -> JSONValue {
    var schema: JSONObject = ["type": "integer"]
    let low = random.pick([-1_000, -100, -99, -11, -1, 0, 1, 7, 9, 10, 99, 100, 12_345])
    let high = low + random.pick([0, 1, 2, 8, 9, 10, 11, 90, 101, 1_000, 123_456])
    switch random.int(0...5) {
    case 0: break
    case 1: schema["minimum"] = .int(low)
    case 2: schema["maximum"] = .int(high)
    case 3:
      schema["exclusiveMinimum"] = .int(low - 1)
      schema["maximum"] = .int(high)
    case 4:
      schema["minimum"] = .double(Double(low) - 0.5)
      schema["exclusiveMaximum"] = .int(high + 1)
    default:
      schema["minimum"] = .int(low)
      schema["maximum"] = .int(high)
    }
    return .object(schema)
  }

  private mutating func number() -> JSONValue {
    var schema: JSONObject = ["type": "number"]
    let low = random.pick([-1_000, -10.5, -1, -0.25, -0.001, 0, 0.1, 0.5, 1, 1.5, 9.99, 100])
    let high = low + random.pick([0.001, 0.1, 0.5, 1, 2.25, 10, 99.75, 1_000])
    switch random.int(0...5) {
    case 0: break
    case 1: schema["minimum"] = .double(low)
    case 2: schema["maximum"] = .double(high)
    case 3:
      schema["exclusiveMinimum"] = .double(low)
      schema["exclusiveMaximum"] = .double(high)
    default:
      schema["minimum"] = .double(low)
      schema["maximum"] = .double(high)
    }
    return .object(schema)
  }

  private static let patterns = [
    "^[a-z]+$", "^[A-Z]{2,5}-[0-9]{3}$", "^(red|green|blue)$", "^\\d{4}$", "^#[0-9a-fA-F]{6}$",
    "^\\w*$", "b", "^a", "z$", "^[^\"\\\\]{1,8}$", "^(?:ab?c*){1,3}$", "^é+😀?$", "^\\S+ \\S+$",
    "^[\\u00e0-\\u00ff]{2}$", "^.{0,3}$", "^(a|ab)(c|bcd)$", "^\\/[a-z\\-]*\\/$", "^[\\n\\t]?x$",
    "^v?[0-9]+(\\.[0-9]+){0,2}$", "^(?:[01]?[0-9]|2[0-3])h$",
  ]

  private mutating func string() -> JSONValue {
    var schema: JSONObject = ["type": "string"]
    switch random.int(0...5) {
    case 0...1: break
    case 2: schema["pattern"] = .string(random.pick(Self.patterns))
    case 3:
      schema["format"] = .string(random.pick(["date", "time", "date-time", "uuid", "email"]))
    default:
      let least = random.int(0...6)
      if random.chance(0.6) { schema["minLength"] = .int(least) }
      schema["maxLength"] = .int(least + random.int(0...12))
    }
    return .object(schema)
  }

  private static let constants: [JSONValue] = [
    .null, true, false, 0, 1, -1, 1.5, -0.25, 1e21, 123_456_789_012, "", "a", "ab", "a b", "é",
    "e\u{301}", "😀", "say \"hi\"", "back\\slash", "line\nbreak", "\u{1}", "/", .array([]),
    .object([:]), [1, [2, "x"]], ["k": .array([])], ["a": 1, "b": ["c": .null]],
  ]

  private mutating func enumeration() -> JSONValue {
    if random.chance(0.3) { return ["const": random.pick(Self.constants)] }
    let values = Self.constants.shuffled(using: &random).prefix(random.int(1...6))
    return ["enum": .array(Array(values))]
  }
}
