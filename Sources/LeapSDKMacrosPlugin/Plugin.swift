@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The program the compiler starts to expand macros; it speaks with it over standard input and
/// output. (The toolchain's SwiftSyntax has no `CompilerPlugin` protocol that would do this.)
@main
struct Plugin: PluginProvider {
  static func main() throws {
    let connection = try StandardIOMessageConnection()
    try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "GeneratableMacro": GeneratableMacro.self
    case "GuideMacro": GuideMacro.self
    default: throw UnknownMacro(name: typeName)
    }
  }

  struct UnknownMacro: Error, CustomStringConvertible {
    let name: String
    var description: String { "This plugin has no macro named '\(name)'." }
  }
}
