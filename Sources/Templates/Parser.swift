/// A template's tree, with its variables numbered.
struct ParsedTemplate: Sendable {
  let body: Block
  /// The names of the variables; the index is the variable's number.
  let names: [String]
}

/// Builds the tree from the tokens by recursive descent.
struct Parser {
  let tokens: [Token]
  let limits: TemplateLimits
  var index = 0
  private let stack: StackGuard
  /// Open statements and operands, which stand for the parser's own stack.
  private var nesting = 0
  private(set) var names: [String] = []
  private var idsByName: [String: Int] = [:]
  /// The special names that each open macro uses, outermost first.
  var specialNames: [Set<String>] = []
  var loopDepth = 0
  /// Inside of an `if`, where unknown filters and tests only fail when they are reached.
  var isConditional = false
  /// The first use of an unknown filter or test outside of any `if`.
  var unknownName: TemplateError?

  static func parse(
    _ source: String, limits: TemplateLimits
  ) throws(TemplateError) -> ParsedTemplate {
    var parser = Parser(tokens: try Lexer.tokens(of: source), limits: limits)
    let body = try parser.parseBlock(until: [], of: nil)
    if let error = parser.unknownName { throw error }
    return ParsedTemplate(body: body, names: parser.names)
  }

  private init(tokens: [Token], limits: TemplateLimits) {
    self.tokens = tokens
    self.limits = limits
    stack = StackGuard(limit: limits.stackBytes)
  }

  // MARK: Tokens

  var current: Token {
    index < tokens.count
      ? tokens[index] : Token(kind: .end, position: tokens.last?.position ?? .start)
  }

  var next: Token.Kind { index + 1 < tokens.count ? tokens[index + 1].kind : .end }

  mutating func advance() { index += 1 }

  func isAt(_ symbol: Token.Symbol) -> Bool { current.kind == .symbol(symbol) }
  func isAt(name: String) -> Bool { current.kind == .name(name) }

  mutating func skip(_ symbol: Token.Symbol) -> Bool {
    guard isAt(symbol) else { return false }
    advance()
    return true
  }

  mutating func skip(name: String) -> Bool {
    guard isAt(name: name) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: Token.Symbol) throws(TemplateError) {
    guard skip(symbol) else { throw unexpected("'\(symbol.rawValue)'") }
  }

  mutating func expect(_ kind: Token.Kind) throws(TemplateError) {
    guard current.kind == kind else { throw unexpected(kind.spelling) }
    advance()
  }

  mutating func expect(name: String) throws(TemplateError) {
    guard skip(name: name) else { throw unexpected("'\(name)'") }
  }

  mutating func expectName() throws(TemplateError) -> String {
    guard case .name(let name) = current.kind else { throw unexpected("a name") }
    advance()
    return name
  }

  func failure(_ message: String, at position: SourcePosition? = nil) -> TemplateError {
    TemplateError(.syntax, message, at: position ?? current.position)
  }

  mutating func noteUnknown(_ message: String, at position: SourcePosition) {
    guard !isConditional, unknownName == nil else { return }
    unknownName = failure(message, at: position)
  }

  func unexpected(_ expected: String) -> TemplateError {
    failure("unexpected \(current.kind.spelling), expected \(expected)")
  }

  // MARK: Bookkeeping

  /// The number of a variable.
  mutating func id(of name: String) -> Int {
    if let id = idsByName[name] { return id }
    names.append(name)
    idsByName[name] = names.count - 1
    return names.count - 1
  }

  mutating func enter() throws(TemplateError) {
    nesting += 1
    guard nesting <= limits.nesting, !stack.isExhausted else { throw tooDeep }
  }

  mutating func leave() { nesting -= 1 }

  /// Passes an expression on unless its tree has grown too high to be evaluated.
  func checked(_ expression: any Expression) throws(TemplateError) -> any Expression {
    guard expression.depth <= limits.nesting else { throw tooDeep }
    return expression
  }

  private var tooDeep: TemplateError {
    TemplateError(
      .limit, "the template is nested too deeply (\(limits.nesting) levels at most)",
      at: current.position)
  }
}
