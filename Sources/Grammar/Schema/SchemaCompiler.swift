import JSON

/// Turns a schema into rules.
///
/// What is compiled is always a conjunction: a list of schemas that must all hold. `$ref` and `allOf`
/// add to the list, `anyOf` and `oneOf` split it, and the keywords of what is left are merged.
struct SchemaCompiler {
  /// How deep the JSON of a schema may be.
  static let textDepthLimit = 1_024
  /// Schemas that may be compiled, each as often as it is part of a conjunction.
  private static let compileLimit = 10_000

  /// Levels that are compiled at once; what lies deeper waits in a queue, so that the nesting of a
  /// schema does not use up the thread's stack.
  private static let recursionLimit = 6

  /// One schema of a conjunction.
  struct Located {
    var schema: JSONValue
    var path: SchemaPath
    /// The keywords of `SchemaCompiler.branchKeywords` that are dealt with.
    var split: Set<String> = []
    /// Whether its `$ref` and `allOf` are followed, so that the conjunction holds what they lead to.
    var isFollowed = false

    var branchKeyword: String? {
      SchemaCompiler.branchKeywords.first { schema[$0] != nil && !split.contains($0) }
    }

    var identity: Identity { Identity(path: path, split: split) }
  }

  struct Identity: Hashable {
    let path: SchemaPath
    let split: Set<String>
  }

  private struct Job {
    let parts: [Located]
    let depth: Int
    let slot: Int
  }

  /// What `$ref` starts from.
  private(set) var root: Located
  let options: GrammarOptions
  var literals = JSONLiterals.json
  var rules = RuleSet()
  /// The first reason for which something cannot be satisfied.
  var contradiction: GrammarError?

  private var done: [[Identity]: Int] = [:]
  /// The slots of conjunctions that are not compiled yet; nil until something refers to them.
  private var underway: [[Identity]: Int?] = [:]
  private var queue: [Job] = []
  private var recursion = 0
  private var compiled = 0
  var anyValueRule: Int?

  init(root: JSONValue, options: GrammarOptions) {
    self.root = Located(schema: root, path: SchemaPath())
    self.options = options
  }

  mutating func compileRoot() throws(GrammarError) -> Int {
    try compileWhole(root)
  }

  /// Compiles a schema and everything that it refers to; references start from it.
  mutating func compileWhole(_ schema: Located) throws(GrammarError) -> Int {
    try compileFrom(schema) { (compiler) throws(GrammarError) in
      try compiler.compile([schema], depth: 0)
    }
  }

  /// Runs `body` with references that start from `schema`, and compiles what waits behind it.
  mutating func compileFrom(
    _ schema: Located, _ body: (inout Self) throws(GrammarError) -> Int
  ) throws(GrammarError) -> Int {
    root = schema
    let rule = try body(&self)
    while let job = queue.popLast() {
      rules.fill(slot: job.slot, with: try compileParts(job.parts, depth: job.depth))
    }
    return rule
  }

  /// The finished rules, with what may come in front of the value.
  mutating func finish(_ value: Int) -> RuleSet {
    let root = withReasoning(value)
    rules.finish(root: root)
    return rules
  }

  func checkIsSchema(_ schema: JSONValue, _ path: SchemaPath) throws(GrammarError) {
    switch schema {
    case .object, .bool: return
    default:
      throw .malformed(
        path: path.description, keyword: path.parts.last ?? "schema",
        reason: "a schema is an object or a boolean, not \(schema.kindName)")
    }
  }

  /// The rule for values that satisfy all of `conjunction`.
  mutating func compile(_ conjunction: [Located], depth: Int) throws(GrammarError) -> Int {
    let limit = min(options.depthLimit, 128)
    let place = conjunction.first?.path ?? SchemaPath()
    guard depth <= limit else { throw .tooDeep(path: place.description, limit: limit) }
    compiled += conjunction.count
    guard compiled <= Self.compileLimit, rules.rules.count <= RuleSet.ruleLimit else {
      throw .tooLarge(path: place.description, reason: "it combines too many schemas")
    }
    guard let parts = try flattened(conjunction) else {
      return impossible(place, "the schema false allows nothing")
    }
    if parts.isEmpty { return anyValue() }

    let key = parts.map(\.identity)
    if let rule = done[key] { return rule }
    if let slot = underway[key] {
      let slot = slot ?? rules.makeSlot()
      underway[key] = .some(slot)
      return rules.add(.reference(slot: slot))
    }
    if recursion >= Self.recursionLimit {
      let slot = rules.makeSlot()
      queue.append(Job(parts: parts, depth: depth, slot: slot))
      let rule = rules.add(.reference(slot: slot))
      done[key] = rule
      return rule
    }
    underway[key] = .some(nil)
    let rule = try compileParts(parts, depth: depth)
    if let slot = underway.removeValue(forKey: key) ?? nil { rules.fill(slot: slot, with: rule) }
    done[key] = rule
    return rule
  }

  private mutating func compileParts(
    _ parts: [Located], depth: Int
  ) throws(GrammarError) -> Int {
    recursion += 1
    defer { recursion -= 1 }
    guard let index = parts.firstIndex(where: { $0.branchKeyword != nil }),
      let keyword = parts[index].branchKeyword
    else {
      return try compileMerged(parts, depth: depth)
    }
    let branches = try branches(of: parts[index], keyword)
    var rest = parts
    rest[index].split.insert(keyword)
    if keyword == "oneOf" { try checkExclusive(branches, beside: rest, parts[index].path) }
    var choices: [Int] = []
    for branch in branches { choices.append(try compile(rest + [branch], depth: depth + 1)) }
    return rules.choice(choices)
  }

  /// Records why something cannot be satisfied, and returns the rule for that.
  mutating func impossible(_ path: SchemaPath, _ reason: String) -> Int {
    if contradiction == nil {
      contradiction = .unsatisfiable(path: path.description, reason: reason)
    }
    return rules.nothing()
  }
}
