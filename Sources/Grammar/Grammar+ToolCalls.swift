import JSON

/// How a model writes the inside of a block of tool calls.
public enum CallDialect: Sendable {
  /// `[name(argument=value), other()]`, with Python's spelling of values.
  case pythonic
  /// One object `{"name": "…", "arguments": {…}}`; a line end may stand in front of it and behind it.
  case hermes
}

extension Grammar {
  /// The inner texts of a block of calls of these tools.
  ///
  /// `tools` are function descriptions, with or without OpenAI's wrapper `{"type": "function",
  /// "function": {…}}`. Arguments come in declared order; optional ones may be missing. With `name` only
  /// that function may be called. `maximumCalls` concerns the pythonic dialect, which can hold several
  /// calls.
  public init(
    toolCalls tools: [JSONValue], dialect: CallDialect, onlyFunction name: String? = nil,
    maximumCalls: Int = .max, options: GrammarOptions = .init()
  ) throws(GrammarError) {
    var compiler = SchemaCompiler(root: .array(tools), options: options)
    let calls = try compiler.compileCalls(
      dialect, onlyFunction: name, maximumCalls: max(1, maximumCalls))
    try self.init(compiler, calls)
  }
}

extension SchemaCompiler {
  mutating func compileCalls(
    _ dialect: CallDialect, onlyFunction name: String?, maximumCalls: Int
  ) throws(GrammarError) -> Int {
    if dialect == .pythonic { literals = .python }
    var calls: [Int] = []
    for (index, tool) in (root.schema.arrayValue ?? []).enumerated() {
      var function = tool
      var path = SchemaPath().appending(index)
      if let inner = tool["function"] {
        function = inner
        path = path.appending("function")
      }
      guard let called = function["name"]?.stringValue, !called.isEmpty else {
        throw .malformed(path: path.description, keyword: "name", reason: "a function needs a name")
      }
      guard name.map(called.isSame) != false else { continue }
      let parameters = Located(
        schema: function["parameters"].flatMap { $0.isNull ? nil : $0 }
          ?? ["type": "object", "properties": [:]],
        path: path.appending("parameters"))
      calls.append(
        try dialect == .pythonic
          ? pythonicCall(called, parameters) : hermesCall(called, parameters))
    }
    guard !calls.isEmpty else {
      throw .unsatisfiable(
        path: "$", reason: name.map { "no tool is named '\($0)'" } ?? "there are no tools")
    }
    let call = rules.choice(calls)
    guard dialect == .pythonic else {
      let lineEnd = rules.optional(rules.literal("\n"))
      return rules.sequence([lineEnd, call, lineEnd])
    }
    let list = rules.add(
      .list(
        prefix: [separated(call, isFirst: true)], rest: separated(call, isFirst: false), minimum: 1,
        maximum: maximumCalls))
    return bracketed("[", list, "]")
  }

  private mutating func hermesCall(
    _ name: String, _ parameters: Located
  ) throws(GrammarError) -> Int {
    let path = parameters.path
    let called = try Self.keyed(&self, "name", compile(words: [name], path), path)
    let value = try compileWhole(parameters)
    let arguments = try Self.keyed(&self, "arguments", value, path)
    let members = [called, arguments].map { separated($0, isRequired: true) }
    return bracketed(
      "{", rules.add(.members(Members(declared: members, additional: nil))), "}")
  }

  private mutating func pythonicCall(
    _ name: String, _ parameters: Located
  ) throws(GrammarError) -> Int {
    guard name.isDottedName else {
      throw .unsupported(
        path: parameters.path.description, keyword: "name",
        reason: "'\(name)' cannot be written as a call")
    }
    return try compileFrom(parameters) { (compiler) throws(GrammarError) in
      let parts = try compiler.flattened([parameters]) ?? []
      guard parts.allSatisfy({ $0.branchKeyword == nil }) else {
        throw .unsupported(
          path: parameters.path.description, keyword: "anyOf",
          reason: "the parameters of a function must be one object")
      }
      var schema = try MergedSchema(parts)
      // Only declared arguments have a name to be called by.
      schema.forbidOthers()
      guard let members = try compiler.compileMembers(schema, key: Self.argument, depth: 0) else {
        return compiler.rules.nothing()
      }
      return compiler.bracketed(
        name + "(", members.isEmpty ? nil : compiler.rules.add(.members(members)), ")")
    }
  }

  /// `name=value`
  private static func argument(
    _ compiler: inout Self, _ name: String, _ value: Int, _ path: SchemaPath
  ) throws(GrammarError) -> Int {
    guard name.isName else {
      throw .unsupported(
        path: path.description, keyword: "properties",
        reason: "'\(name)' cannot be the name of an argument")
    }
    return compiler.rules.sequence([
      compiler.rules.literal(name), compiler.gap(), compiler.rules.literal("="), compiler.gap(),
      value,
    ])
  }
}

extension String {
  /// Whether this is a Python name, perhaps with dots.
  fileprivate var isDottedName: Bool {
    unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy { String($0).isName }
  }

  var isName: Bool {
    guard let first = unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }
}
