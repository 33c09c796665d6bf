import SwiftOperators
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

extension ExprSyntax {
  /// The text of a string literal, or of several joined by `+`; nil for anything else.
  var literalText: String? {
    OperatorTable.standardOperators.foldAll(self) { _ in }.as(ExprSyntax.self)?.foldedLiteralText
  }

  private var foldedLiteralText: String? {
    if let literal = self.as(StringLiteralExprSyntax.self) {
      return literal.representedLiteralValue
    }
    guard let sum = self.as(InfixOperatorExprSyntax.self),
      sum.operator.trimmedDescription == "+",
      let left = sum.leftOperand.foldedLiteralText, let right = sum.rightOperand.foldedLiteralText
    else { return nil }
    return left + right
  }
}

extension AttributeSyntax {
  /// The text the attribute carries; nil if it has no argument, or one that is no literal, which is
  /// diagnosed.
  func description(of macro: String, in context: some MacroExpansionContext) -> String? {
    guard case .argumentList(let arguments) = arguments, let first = arguments.first else {
      return nil
    }
    guard let text = first.expression.literalText else {
      context.diagnose(.descriptionIsNoLiteral(macro: macro), at: first.expression)
      return nil
    }
    return text
  }
}

/// A Swift literal for `text`, on one line.
func swiftLiteral(_ text: String) -> String {
  var literal = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": literal += "\\\(scalar)"
    case "\0"..<" ", "\u{7F}": literal += "\\u{\(String(scalar.value, radix: 16))}"
    default: literal.unicodeScalars.append(scalar)
    }
  }
  return literal + "\""
}
