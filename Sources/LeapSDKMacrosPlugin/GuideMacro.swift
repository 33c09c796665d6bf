import SwiftSyntax
import SwiftSyntaxMacros

/// `@Guide("…")` only marks a property; `@Generatable` reads its text. Here the text is checked.
struct GuideMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    _ = node.description(of: "Guide", in: context)
    if !declaration.is(VariableDeclSyntax.self) {
      context.diagnose(.guideOffProperty, at: node)
    }
    return []
  }
}
