import SwiftSyntax
import SwiftSyntaxMacros

/// Finds types, as written, that no JSON Schema can describe. Everything else is left to the
/// compiler: it knows what the names stand for.
struct TypeCheck {
  /// Generic parameters about which nothing is known.
  let unconstrainedParameters: Set<String>

  func run(_ type: TypeSyntax, in context: some MacroExpansionContext) {
    func fail(_ reason: String) {
      let message = Message.unsupportedType(type.trimmedDescription, reason: reason)
      context.diagnose(message, at: type)
    }

    switch type.as(TypeSyntaxEnum.self) {
    case .arrayType(let array): run(array.element, in: context)
    case .optionalType(let optional): run(optional.wrappedType, in: context)
    case .implicitlyUnwrappedOptionalType(let optional): run(optional.wrappedType, in: context)
    case .attributedType(let attributed): run(attributed.baseType, in: context)
    case .dictionaryType(let dictionary):
      checkKey(dictionary.key, in: context)
      run(dictionary.value, in: context)
    case .identifierType(let identifier): check(identifier, fail, in: context)
    case .tupleType(let tuple):
      if let only = tuple.elements.first, tuple.elements.count == 1 {
        run(only.type, in: context)
      } else {
        fail("tuples have no JSON form, use a @Generatable struct")
      }
    case .functionType: fail("functions have no JSON form")
    case .someOrAnyType, .compositionType, .metatypeType:
      fail("the type of a property must be a concrete one")
    default: break
    }
  }

  private func check(
    _ identifier: IdentifierTypeSyntax, _ fail: (String) -> Void,
    in context: some MacroExpansionContext
  ) {
    let arguments = identifier.genericArgumentClause?.arguments.compactMap { argument in
      if case .type(let type) = argument.argument { type } else { nil }
    }
    switch (identifier.name.text, arguments) {
    case ("Any", _), ("AnyObject", _), ("AnyHashable", _):
      fail("the type of a property must be a concrete one")
    case (let name, _) where unconstrainedParameters.contains(name):
      context.diagnose(.unconstrainedParameter(name), at: identifier)
    case ("Dictionary", let arguments?) where arguments.count == 2:
      checkKey(arguments[0], in: context)
      run(arguments[1], in: context)
    case ("Array", let arguments?), ("Optional", let arguments?), ("Set", let arguments?):
      for argument in arguments { run(argument, in: context) }
    default: break
    }
  }

  private static let otherKeys: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Float", "Double", "Bool", "UUID", "URL", "Date", "AnyHashable", "Any", "Character",
  ]

  private func checkKey(_ key: TypeSyntax, in context: some MacroExpansionContext) {
    if Self.otherKeys.contains(key.trimmedDescription) {
      let reason = "the keys of a dictionary must be strings"
      context.diagnose(.unsupportedType(key.trimmedDescription, reason: reason), at: key)
    }
  }
}

extension TypeCheck {
  init(parametersOf declaration: some DeclGroupSyntax) {
    let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)
    let parameters = generic?.genericParameterClause?.parameters ?? []
    let requirements = generic?.genericWhereClause?.requirements.map(\.trimmedDescription) ?? []
    unconstrainedParameters = Set(
      parameters.filter { $0.inheritedType == nil }.map(\.name.text).filter { name in
        !requirements.contains { $0.hasPrefix("\(name):") || $0.hasPrefix("\(name) ") }
      })
  }
}
