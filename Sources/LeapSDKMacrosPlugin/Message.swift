import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What the macros say about code they cannot, or can only partly, turn into a schema.
enum Message: Equatable {
  case notAStructOrClass
  case notAStringEnum
  case openClassWithoutCodable(name: String)
  case descriptionIsNoLiteral(macro: String)
  case guideOffProperty
  case tuplePattern
  case constant(name: String)
  case conditionalMember
  case unreadableCodingKeys
  case unsupportedType(String, reason: String)
  case unconstrainedParameter(String)
}

extension Message: DiagnosticMessage {
  var message: String {
    switch self {
    case .notAStructOrClass:
      "@Generatable can only be applied to structs or classes"
    case .notAStringEnum:
      "@Generatable can only be applied to structs or classes, and to enums with String raw values"
    case .openClassWithoutCodable(let name):
      "@Generatable makes a class Codable only if it is final; make '\(name)' final or Codable"
    case .descriptionIsNoLiteral(let macro):
      "the description of @\(macro) must be a string literal without interpolation"
    case .guideOffProperty:
      "@Guide can only be applied to stored properties"
    case .tuplePattern:
      "@Generatable needs a declaration of its own for each property"
    case .constant(let name):
      "'\(name)' is left out of the JSON schema: a constant with an initial value is never decoded"
    case .conditionalMember:
      "@Generatable cannot look into '#if'; declare stored properties and cases outside of it"
    case .unreadableCodingKeys:
      "@Generatable reads only an enum named CodingKeys with literal raw values; "
        + "the JSON schema uses the property names"
    case .unsupportedType(let type, let reason):
      "'\(type)' cannot be part of a @Generatable type: \(reason)"
    case .unconstrainedParameter(let name):
      "generic parameter '\(name)' of a @Generatable type must conform to 'GeneratableValue'"
    }
  }

  var severity: DiagnosticSeverity {
    switch self {
    case .constant, .unreadableCodingKeys: .warning
    default: .error
    }
  }

  var diagnosticID: MessageID {
    let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
    return MessageID(domain: "LeapSDKMacros", id: name)
  }
}

extension MacroExpansionContext {
  func diagnose(_ message: Message, at node: some SyntaxProtocol) {
    diagnose(Diagnostic(node: node, message: message))
  }
}
