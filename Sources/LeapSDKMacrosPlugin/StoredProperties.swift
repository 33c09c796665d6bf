import SwiftSyntax
import SwiftSyntaxMacros

/// A property that decoding fills.
struct StoredProperty: Equatable {
  /// As written after a dot, with backticks where the name needs them.
  let reference: String
  /// The key in JSON.
  let key: String
  let guide: String?
}

extension StoredProperty {
  /// The properties among `members`, in order. What cannot work is diagnosed.
  static func properties(
    of members: MemberBlockItemListSyntax, check: TypeCheck, in context: some MacroExpansionContext
  ) -> [StoredProperty] {
    let keys = CodingKeys(of: members, in: context)
    var properties: [StoredProperty] = []
    for member in members {
      if let variable = member.decl.as(VariableDeclSyntax.self), variable.isInstanceStorage {
        let guide = variable.guide(in: context)
        for binding in variable.storedBindings {
          guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            diagnosePattern(binding, of: variable, in: context)
            continue
          }
          guard let key = keys.name(of: name.identifier?.name ?? name.text) else { continue }
          if variable.isConstant, binding.initializer != nil {
            context.diagnose(.constant(name: name.text), at: binding)
            continue
          }
          if let type = variable.type(of: binding) { check.run(type, in: context) }
          properties.append(StoredProperty(reference: name.text, key: key, guide: guide))
        }
      } else if let condition = member.decl.as(IfConfigDeclSyntax.self),
        condition.contains(
          VariableDeclSyntax.self,
          where: { $0.isInstanceStorage && !$0.storedBindings.isEmpty })
      {
        context.diagnose(.conditionalMember, at: condition)
      }
    }
    return properties
  }

  private static func diagnosePattern(
    _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax,
    in context: some MacroExpansionContext
  ) {
    let isDecoded = !(variable.isConstant && binding.initializer != nil)
    if isDecoded, binding.pattern.is(TuplePatternSyntax.self) {
      context.diagnose(.tuplePattern, at: binding)
    }
  }
}

extension VariableDeclSyntax {
  fileprivate var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

  fileprivate var isInstanceStorage: Bool {
    !modifiers.contains { modifier in
      switch modifier.name.tokenKind {
      case .keyword(.static), .keyword(.class), .keyword(.lazy): true
      default: false
      }
    }
  }

  /// The bindings that take up storage: those without accessors, or with observers only.
  fileprivate var storedBindings: [PatternBindingSyntax] {
    bindings.filter { binding in
      guard let block = binding.accessorBlock else { return true }
      guard case .accessors(let accessors) = block.accessors else { return false }
      return accessors.allSatisfy {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    }
  }

  /// The type as written; in `a, b: Int` it stands behind the last of the bindings it belongs to.
  fileprivate func type(of binding: PatternBindingSyntax) -> TypeSyntax? {
    for candidate in bindings.drop(while: { $0 != binding }) {
      if let annotation = candidate.typeAnnotation { return annotation.type }
      if candidate.initializer != nil { return nil }
    }
    return nil
  }

  fileprivate func guide(in context: some MacroExpansionContext) -> String? {
    for case .attribute(let attribute) in attributes where attribute.isGuide {
      guard case .argumentList(let arguments) = attribute.arguments else { continue }
      // Whatever is no literal was diagnosed by the expansion of @Guide itself.
      return arguments.first?.expression.literalText
    }
    return nil
  }
}

extension AttributeSyntax {
  fileprivate var isGuide: Bool {
    ["Guide", "LeapSDK.Guide", "LeapSDKMacros.Guide"].contains(attributeName.trimmedDescription)
  }
}
