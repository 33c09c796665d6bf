import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Generatable`: an extension that makes the type `GeneratableType`. Which schema a property's
/// type has is left to the compiler: the expansion names properties by key path only, so that type
/// aliases, inferred types and types nested in others need no care here.
struct GeneratableMacro: ExtensionMacro {
  static let formatMode = FormatMode.disabled

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let title = declaration.asProtocol((any NamedDeclSyntax).self)?.name
    guard let title = title?.identifier?.name, isApplicable(to: declaration, in: context) else {
      return []
    }
    let description = node.description(of: "Generatable", in: context)
    let expansion = Expansion(
      type: type.trimmedDescription, title: title, description: description,
      conformances: protocols.map(qualified),
      attributes: declaration.availability, access: declaration.access)
    let source =
      if let choice = declaration.as(EnumDeclSyntax.self) {
        expansion.source(choices: choice.cases(in: context).map(\.rawValue))
      } else {
        expansion.source(
          properties: StoredProperty.properties(
            of: declaration.memberBlock.members, check: TypeCheck(parametersOf: declaration),
            in: context))
      }
    return [try ExtensionDeclSyntax("\(raw: source)")]
  }

  /// The protocols come without their modules; of ours, the others follow from one of them, but the
  /// compiler wants to see all that it asked for.
  private static func qualified(_ name: TypeSyntax) -> String {
    let name = name.trimmedDescription
    if name.contains(".") { return name }
    return (name.hasPrefix("Generatable") ? "LeapSDKMacros." : "Swift.") + name
  }

  private static func isApplicable(
    to declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
  ) -> Bool {
    if declaration.is(StructDeclSyntax.self) { return true }
    if let declaration = declaration.as(ClassDeclSyntax.self) {
      let isFinal = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
      // A class that inherits from something may be Codable through it.
      if isFinal || declaration.inheritanceClause != nil { return true }
      context.diagnose(
        .openClassWithoutCodable(name: declaration.name.text), at: declaration.name)
      return false
    }
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      if declaration.hasStringRawValues { return true }
      context.diagnose(.notAStringEnum, at: declaration.name)
      return false
    }
    context.diagnose(.notAStructOrClass, at: declaration.introducer)
    return false
  }
}

/// The text of the extension.
private struct Expansion {
  let type: String
  let title: String
  let description: String?
  let conformances: [String]
  let attributes: String
  let access: String

  func source(properties: [StoredProperty]) -> String {
    let lines = properties.map { property in
      let guide = property.guide.map { ", description: \(swiftLiteral($0))" } ?? ""
      return "      $0.add(\(swiftLiteral(property.key)), \\.\(property.reference)\(guide))"
    }
    let closure =
      lines.isEmpty ? "{ _ in }" : "{\n" + lines.joined(separator: "\n") + "\n    }"
    return source(
      schema: """
        builder.object(
              \(type).self, title: \(swiftLiteral(title)), description: typeDescription
            ) \(closure)
        """)
  }

  func source(choices: [String]) -> String {
    let description = description.map(swiftLiteral) ?? "nil"
    let values = choices.map(swiftLiteral).joined(separator: ", ")
    return source(schema: "builder.choice([\(values)], description: \(description))")
  }

  private func source(schema: String) -> String {
    let conformances = conformances.isEmpty ? "" : ": " + conformances.joined(separator: ", ")
    return """
      \(attributes)extension \(type)\(conformances) {
        \(access)static var typeDescription: Swift.String { \(swiftLiteral(description ?? title)) }

        \(access)static func jsonSchema() -> Swift.String {
          LeapSDKMacros.JSONSchemaGenerator.text(for: \(type).self)
        }

        \(access)static func jsonSchema(
          in builder: inout LeapSDKMacros.JSONSchemaBuilder
        ) -> LeapSDKMacros.JSONSchema {
          \(schema)
        }
      }
      """
  }
}

extension DeclGroupSyntax {
  /// What the generated members must be to be as visible as the type.
  fileprivate var access: String {
    for modifier in modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }

  /// The type's `@available` attributes, which an extension of it needs as well.
  fileprivate var availability: String {
    var text = ""
    for case .attribute(let attribute) in attributes
    where attribute.attributeName.trimmedDescription == "available" {
      text += attribute.trimmedDescription + "\n"
    }
    return text
  }
}
