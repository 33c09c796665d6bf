import SwiftSyntax
import SwiftSyntaxMacros

/// The names a type's properties have in JSON.
struct CodingKeys {
  /// By property; nil where every property is coded under its own name.
  private var names: [String: String]?

  init(of members: MemberBlockItemListSyntax, in context: some MacroExpansionContext) {
    for member in members {
      guard let declaration = member.decl.asProtocol((any NamedDeclSyntax).self),
        declaration.name.text == "CodingKeys"
      else { continue }
      guard let keys = member.decl.as(EnumDeclSyntax.self), !keys.declaresStringValue else {
        context.diagnose(.unreadableCodingKeys, at: declaration.name)
        continue
      }
      let cases = keys.cases(in: context)
      names = Dictionary(cases.map { ($0.name, $0.rawValue) }, uniquingKeysWith: { $1 })
    }
  }

  /// Nil for a property that is not coded.
  func name(of property: String) -> String? {
    guard let names else { return property }
    return names[property]
  }
}

extension EnumDeclSyntax {
  /// The cases in order. A raw value that is not written down is the case's name, as Swift has it
  /// for raw values of type String and for coding keys.
  func cases(
    in context: some MacroExpansionContext
  ) -> [(name: String, rawValue: String)] {
    var cases: [(name: String, rawValue: String)] = []
    for member in memberBlock.members {
      if let declaration = member.decl.as(EnumCaseDeclSyntax.self) {
        for element in declaration.elements {
          let name = element.name.identifier?.name ?? element.name.text
          cases.append((name, element.rawValue?.value.literalText ?? name))
        }
      } else if let condition = member.decl.as(IfConfigDeclSyntax.self),
        condition.contains(EnumCaseDeclSyntax.self)
      {
        context.diagnose(.conditionalMember, at: condition)
      }
    }
    return cases
  }

  var hasStringRawValues: Bool {
    let rawType = inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    return rawType == "String" || rawType == "Swift.String"
  }

  fileprivate var declaresStringValue: Bool {
    memberBlock.members.contains { member in
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
      return variable.bindings.contains { $0.pattern.trimmedDescription == "stringValue" }
    }
  }
}

extension IfConfigDeclSyntax {
  /// Whether a branch declares a member of this kind that satisfies `condition`.
  func contains<Member: DeclSyntaxProtocol>(
    _ kind: Member.Type, where condition: (Member) -> Bool = { _ in true }
  ) -> Bool {
    clauses.contains { clause in
      guard case .decls(let members) = clause.elements else { return false }
      return members.contains { member in
        if let nested = member.decl.as(IfConfigDeclSyntax.self) {
          return nested.contains(kind, where: condition)
        }
        return member.decl.as(kind).map(condition) ?? false
      }
    }
  }
}
