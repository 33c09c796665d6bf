import JSON

/// What a text may be, compiled from a JSON Schema or from the signatures of tools. Immutable, cheap to
/// copy and to be used from any number of threads.
///
/// Objects have their members in the order of the schema, optional ones may be missing, and nothing
/// comes twice. Members that are not declared only come where `additionalProperties` allows them or the
/// object declares none. The keywords that are kept are listed in
/// `docs/json-schema.md`.
public struct Grammar: Sendable {
  let rules: RuleSet

  /// The number of rules, for reports.
  public var ruleCount: Int { rules.rules.count }
  /// The number of states of the automata for strings and numbers, for reports.
  public var stateCount: Int { rules.texts.reduce(0) { $0 + $1.automaton.count } }

  /// The texts of all values that a JSON Schema allows.
  public init(
    jsonSchema: JSONValue, options: GrammarOptions = .init()
  ) throws(GrammarError) {
    var compiler = SchemaCompiler(root: jsonSchema, options: options)
    let value = try compiler.compileRoot()
    try self.init(compiler, value)
  }

  /// The same for a schema given as text.
  public init(
    jsonSchema text: String, options: GrammarOptions = .init()
  ) throws(GrammarError) {
    let schema: JSONValue
    do {
      schema = try JSONValue(parsing: text, depthLimit: SchemaCompiler.textDepthLimit)
    } catch {
      if error.message.contains("deep") {
        throw .tooDeep(path: "$", limit: SchemaCompiler.textDepthLimit)
      }
      throw .invalidJSON(reason: error.description)
    }
    try self.init(jsonSchema: schema, options: options)
  }

  /// The texts of all JSON values, or of all objects.
  public static func json(objectOnly: Bool, options: GrammarOptions = .init()) -> Grammar {
    var compiler = SchemaCompiler(root: .bool(true), options: options)
    let value = objectOnly ? compiler.anyObject() : compiler.anyValue()
    return Grammar(compiler.finish(value))
  }

  private init(_ rules: RuleSet) { self.rules = rules }

  /// Throws if nothing satisfies `value`.
  init(_ compiler: SchemaCompiler, _ value: Int) throws(GrammarError) {
    var compiler = compiler
    rules = compiler.finish(value)
    if rules.isImpossible {
      throw compiler.contradiction
        ?? .unsatisfiable(path: "$", reason: "every value of it would have to contain another one")
    }
  }
}
