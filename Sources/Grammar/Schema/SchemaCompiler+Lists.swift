import JSON

extension SchemaCompiler {
  /// Items beyond this are never asked for one by one.
  private static let prefixLimit = 1_000

  mutating func compileList(_ schema: MergedSchema, depth: Int) throws(GrammarError) -> Int {
    var maximum = schema.maximumItems ?? .max
    let prefixCount = schema.items.map(\.prefix.count).max() ?? 0
    guard prefixCount <= Self.prefixLimit else {
      throw .tooLarge(
        path: schema.path.description, reason: "it lists more than \(Self.prefixLimit) items")
    }
    guard schema.minimumItems <= maximum else {
      return impossible(schema.path, "minItems is above maxItems")
    }
    var prefix: [Int] = []
    for index in 0..<prefixCount where index < maximum {
      let item = try compile(Self.schemas(schema.items, item: index), depth: depth + 1)
      if rules.isNothing(item) {
        // Nothing can stand here, so the list ends before.
        maximum = index
      } else {
        prefix.append(separated(item, isFirst: index == 0))
      }
    }
    var rest: Int?
    if maximum > prefix.count {
      // Items behind listed ones come only where a schema says what they are.
      let isOpen = prefixCount == 0 || schema.items.contains { $0.others != nil }
      let item =
        isOpen
        ? try compile(Self.schemas(schema.items, item: prefixCount), depth: depth + 1)
        : anyValue()
      if rules.isNothing(item) || (!isOpen && schema.minimumItems <= prefix.count) {
        maximum = prefix.count
      } else {
        if prefix.isEmpty { prefix.append(separated(item, isFirst: true)) }
        if !isOpen { maximum = schema.minimumItems }
        rest = separated(item, isFirst: false)
      }
    }
    guard schema.minimumItems <= maximum else {
      return impossible(schema.path, "the items it needs cannot be")
    }
    let items = rules.add(
      .list(prefix: prefix, rest: rest, minimum: schema.minimumItems, maximum: maximum))
    return bracketed("[", maximum == 0 ? nil : items, "]")
  }

  /// What all schemas say of the item at a place.
  private static func schemas(_ shapes: [MergedSchema.Shape], item index: Int) -> [Located] {
    shapes.compactMap { index < $0.prefix.count ? $0.prefix[index] : $0.others }
  }
}
