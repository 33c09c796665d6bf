/// A lexical unit of a template.
struct Token: Sendable {
  enum Kind: Sendable, Equatable {
    /// Text to print as it is.
    case text([UInt8])
    case statementBegin, statementEnd
    case outputBegin, outputEnd
    case name(String)
    /// A string literal, its escapes decoded.
    case string(String)
    case integer(Int)
    case float(Double)
    case symbol(Symbol)
    case end
  }

  enum Symbol: String, Sendable, CaseIterable {
    case power = "**"
    case floorDivide = "//"
    case equal = "=="
    case notEqual = "!="
    case greaterOrEqual = ">="
    case lessOrEqual = "<="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case modulo = "%"
    case tilde = "~"
    case leftBracket = "["
    case rightBracket = "]"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case greater = ">"
    case less = "<"
    case assign = "="
    case dot = "."
    case colon = ":"
    case pipe = "|"
    case comma = ","
    case semicolon = ";"
  }

  let kind: Kind
  let position: SourcePosition
}

extension Token.Kind {
  /// How error messages call the token.
  var spelling: String {
    switch self {
    case .text: "text"
    case .statementBegin: "'{%'"
    case .statementEnd: "end of the statement block"
    case .outputBegin: "'{{'"
    case .outputEnd: "end of the print block"
    case .name(let name): "'\(name)'"
    case .string: "a string"
    case .integer, .float: "a number"
    case .symbol(let symbol): "'\(symbol.rawValue)'"
    case .end: "end of the template"
    }
  }
}
