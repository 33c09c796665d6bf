import Testing

@testable import LeapSDKMacrosPlugin

@Suite struct ExpansionTests {
  @Test func aStructGetsOneExtension() {
    let expansion = Expansion(
      """
      @Generatable("A joke")
      struct Joke {
        @Guide("The \\"text\\"") let text: String
        let `default`, rating: Int?
      }
      """)
    #expect(expansion.diagnostics.isEmpty)
    #expect(
      expansion.text == """

        struct Joke {
          let text: String
          let `default`, rating: Int?
        }

        extension Joke: LeapSDKMacros.GeneratableType {
          static var typeDescription: Swift.String { "A joke" }

          static func jsonSchema() -> Swift.String {
            LeapSDKMacros.JSONSchemaGenerator.text(for: Joke.self)
          }

          static func jsonSchema(
            in builder: inout LeapSDKMacros.JSONSchemaBuilder
          ) -> LeapSDKMacros.JSONSchema {
            builder.object(
              Joke.self, title: "Joke", description: typeDescription
            ) {
              $0.add("text", \\.text, description: "The \\"text\\"")
              $0.add("default", \\.`default`)
              $0.add("rating", \\.rating)
            }
          }
        }
        """)
  }

  @Test func anEnumListsItsRawValues() {
    let expansion = Expansion(
      """
      @Generatable enum Kind: String, Sendable { case a, b = "B\\n", `c` }
      """)
    #expect(expansion.diagnostics.isEmpty)
    #expect(expansion.text.contains(#"builder.choice(["a", "B\u{a}", "c"], description: nil)"#))
    #expect(expansion.text.contains(#"typeDescription: Swift.String { "Kind" }"#))
  }

  @Test(arguments: [
    ("public struct", "public "), ("package final class", "package "), ("struct", ""),
    ("private struct", ""), ("open class", "public "), ("fileprivate struct", ""),
  ])
  func membersAreAsVisibleAsTheType(_ introducer: String, _ access: String) {
    let expansion = Expansion("@Generatable(\"d\") \(introducer) Thing: Codable { var a: Int }")
    #expect(expansion.diagnostics.isEmpty)
    #expect(expansion.text.contains("\n  \(access)static var typeDescription"))
    #expect(expansion.text.contains("\n  \(access)static func jsonSchema()"))
    #expect(expansion.text.contains("\n  \(access)static func jsonSchema(\n"))
  }

  @Test func availabilityIsTakenOver() {
    let expansion = Expansion("@available(macOS 99, *) @Generatable(\"d\") struct Later {}")
    #expect(expansion.text.contains("@available(macOS 99, *)\nextension Later:"))
  }

  @Test func thePluginKnowsItsMacros() throws {
    let plugin = Plugin()
    for name in ["GeneratableMacro", "GuideMacro"] {
      let macro = try plugin.resolveMacro(moduleName: "LeapSDKMacrosPlugin", typeName: name)
      #expect("\(macro)" == name)
    }
    #expect(throws: Plugin.UnknownMacro.self) {
      try plugin.resolveMacro(moduleName: "", typeName: "Other")
    }
  }
}
