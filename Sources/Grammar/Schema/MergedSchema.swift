import JSON

/// The types of JSON values. Whole numbers and other numbers are apart, as "integer" lies in "number".
struct TypeSet: OptionSet {
  let rawValue: Int

  static let null = TypeSet(rawValue: 1)
  static let boolean = TypeSet(rawValue: 2)
  static let integer = TypeSet(rawValue: 4)
  static let fraction = TypeSet(rawValue: 8)
  static let string = TypeSet(rawValue: 16)
  static let array = TypeSet(rawValue: 32)
  static let object = TypeSet(rawValue: 64)
  static let number: TypeSet = [.integer, .fraction]
  static let all: TypeSet = [.null, .boolean, .number, .string, .array, .object]

  init(rawValue: Int) { self.rawValue = rawValue }

  init?(name: String) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "integer": self = .integer
    case "number": self = .number
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: return nil
    }
  }

  init(of value: JSONValue) {
    switch value.canonical {
    case .null: self = .null
    case .bool: self = .boolean
    case .int: self = .integer
    case .double: self = .fraction
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }
}

/// The keywords of all schemas of a conjunction, as one.
struct MergedSchema {
  typealias Located = SchemaCompiler.Located

  struct Bound {
    var value: DecimalNumber
    var isInclusive: Bool
  }

  /// A keyword's text and where it stands.
  struct Condition: Hashable {
    let text: String
    let path: SchemaPath
  }

  /// What one schema says of the members that an object or the items that a list may have.
  struct Shape {
    let path: SchemaPath
    var named: [(name: String, schema: Located)] = []
    var prefix: [Located] = []
    /// For members or items that are not listed; nil: nothing is said.
    var others: Located?
    var isListed = false
  }

  let path: SchemaPath
  var types = TypeSet.all
  /// Whether some schema names a type, or lists values.
  var isTyped = false
  /// The types that the keywords speak of.
  var impliedTypes: TypeSet = []
  var literals: [JSONValue]?

  var lower: Bound?
  var upper: Bound?
  var divisors: [(value: DecimalNumber, path: SchemaPath)] = []

  var minimumLength = 0
  var maximumLength: Int?
  var patterns: [Condition] = []
  var formats: [Condition] = []

  var minimumItems = 0
  var maximumItems: Int?
  var items: [Shape] = []

  var objects: [Shape] = []
  var required: [String] = []

  init(_ parts: [Located]) throws(GrammarError) {
    path = parts.first?.path ?? SchemaPath()
    for part in parts { try merge(part) }
    if !isTyped, literals == nil, !impliedTypes.isEmpty { types = impliedTypes }
  }

  private mutating func merge(_ part: Located) throws(GrammarError) {
    guard let object = part.schema.objectValue else { return }
    var reader = KeywordReader(object: object, path: part.path)
    try reader.refuseUnsupported()
    if let types = try reader.types() {
      self.types.formIntersection(types)
      isTyped = true
    }
    for values in [try reader.list("enum"), object["const"].map { [$0] }] {
      guard let values else { continue }
      literals =
        literals.map { known in
          known.filter { values.map(\.canonical).contains($0.canonical) }
        } ?? values
    }
    try mergeNumbers(&reader)
    try mergeStrings(&reader)
    try mergeLists(&reader)
    try mergeObjects(&reader)
    for (keywords, types) in [
      (SchemaKeywords.ofNumbers, TypeSet.number), (SchemaKeywords.ofStrings, .string),
      (SchemaKeywords.ofArrays, .array), (SchemaKeywords.ofObjects, .object),
    ] where keywords.contains(where: { object[$0] != nil }) {
      impliedTypes.formUnion(types)
    }
  }

  private mutating func mergeNumbers(_ reader: inout KeywordReader) throws(GrammarError) {
    for (keyword, isUpper, isInclusive) in [
      ("minimum", false, true), ("exclusiveMinimum", false, false), ("maximum", true, true),
      ("exclusiveMaximum", true, false),
    ] {
      guard let value = try reader.number(keyword) else { continue }
      let bound = Bound(value: value, isInclusive: isInclusive)
      if isUpper {
        upper = upper.map { Self.tighter($0, bound, $0.value < value) } ?? bound
      } else {
        lower = lower.map { Self.tighter($0, bound, value < $0.value) } ?? bound
      }
    }
    if let divisor = try reader.number("multipleOf") {
      guard divisor > .zero else { throw reader.malformed("multipleOf", "it must be above zero") }
      divisors.append((divisor, reader.path))
    }
  }

  private static func tighter(_ a: Bound, _ b: Bound, _ aIsTighter: Bool) -> Bound {
    if a.value == b.value { return a.isInclusive ? b : a }
    return aIsTighter ? a : b
  }

  /// Leaves only declared members.
  mutating func forbidOthers() {
    for index in objects.indices { objects[index].others = nil }
    objects.append(Shape(path: path, isListed: true))
  }

  private mutating func mergeStrings(_ reader: inout KeywordReader) throws(GrammarError) {
    if let length = try reader.count("minLength") { minimumLength = max(minimumLength, length) }
    if let length = try reader.count("maxLength") {
      maximumLength = min(maximumLength ?? length, length)
    }
    if let pattern = try reader.string("pattern") {
      patterns.append(Condition(text: pattern, path: reader.path))
    }
    if let format = try reader.string("format") {
      formats.append(Condition(text: format, path: reader.path))
    }
  }

  private mutating func mergeLists(_ reader: inout KeywordReader) throws(GrammarError) {
    if let count = try reader.count("minItems") { minimumItems = max(minimumItems, count) }
    if let count = try reader.count("maxItems") {
      maximumItems = min(maximumItems ?? count, count)
    }
    var shape = Shape(path: reader.path)
    shape.prefix = try reader.schemas("prefixItems") ?? []
    shape.isListed = !shape.prefix.isEmpty
    // Older drafts give a list of schemas under "items".
    if reader.object["items"]?.arrayValue != nil, reader.object["prefixItems"] == nil {
      shape.prefix = try reader.schemas("items") ?? []
      shape.isListed = true
    } else {
      shape.others = try reader.schema("items")
    }
    if shape.isListed || shape.others != nil { items.append(shape) }
  }

  private mutating func mergeObjects(_ reader: inout KeywordReader) throws(GrammarError) {
    var shape = Shape(path: reader.path)
    if let properties = try reader.namedSchemas("properties") {
      shape.named = properties
      shape.isListed = true
    }
    shape.others = try reader.schema("additionalProperties")
    if shape.isListed || shape.others != nil { objects.append(shape) }
    for name in try reader.names("required") ?? [] where !required.contains(where: name.isSame) {
      required.append(name)
    }
  }
}

extension String {
  /// Whether the bytes are the same: `==` takes different spellings of a letter for equal.
  func isSame(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
