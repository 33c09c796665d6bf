import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import LeapSDKMacrosPlugin

/// A source text with its macros expanded, and what they said about it.
struct Expansion {
  let text: String
  /// Message and the text it points at.
  let diagnostics: [(message: String, severity: DiagnosticSeverity, at: String)]

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext()
    let macros: [String: MacroSpec] = [
      "Generatable": MacroSpec(
        type: GeneratableMacro.self, conformances: ["LeapSDKMacros.GeneratableType"]),
      "Guide": MacroSpec(type: GuideMacro.self),
    ]
    text = file.expand(macroSpecs: macros, contextGenerator: { _ in context }).description
    diagnostics = context.diagnostics.map {
      ($0.message, $0.diagMessage.severity, $0.node.trimmedDescription)
    }
  }

  var errors: [String] { diagnostics.filter { $0.severity == .error }.map(\.message) }
  var warnings: [String] { diagnostics.filter { $0.severity == .warning }.map(\.message) }
}
