import Testing

@testable import LeapSDKMacrosPlugin

@Suite struct DiagnosticTests {
  @Test(arguments: ["actor", "protocol"])
  func onlyStructsAndClasses(_ introducer: String) {
    let expansion = Expansion("@Generatable(\"d\") \(introducer) Thing {}")
    #expect(expansion.errors == ["@Generatable can only be applied to structs or classes"])
    #expect(expansion.diagnostics.first?.at == introducer)
    #expect(!expansion.text.contains("extension"))
  }

  @Test(arguments: ["enum Thing { case a }", "enum Thing: Int { case a }", "enum Thing {}"])
  func enumsNeedStringRawValues(_ declaration: String) {
    let expansion = Expansion("@Generatable(\"d\") \(declaration)")
    #expect(
      expansion.errors == [
        "@Generatable can only be applied to structs or classes, "
          + "and to enums with String raw values"
      ])
  }

  @Test func aClassMustBeFinalOrCodable() {
    let message =
      "@Generatable makes a class Codable only if it is final; make 'Thing' final or Codable"
    #expect(Expansion("@Generatable class Thing { var a = 1 }").errors == [message])
    #expect(Expansion("@Generatable class Thing: Codable { var a = 1 }").errors == [])
    #expect(Expansion("@Generatable class Thing: Base {}").errors == [])
  }

  @Test(arguments: [#""a \(b) c""#, "text", #""a" + b"#, #"prefix("a")"#, #""a" - "b""#])
  func descriptionsMustBeLiterals(_ description: String) {
    let expansion = Expansion(
      "@Generatable(\(description)) struct Thing { @Guide(\(description)) var a: Int }")
    #expect(
      expansion.errors == [
        "the description of @Guide must be a string literal without interpolation",
        "the description of @Generatable must be a string literal without interpolation",
      ])
    #expect(expansion.diagnostics.map(\.at) == [description, description])
  }

  @Test func guidesBelongToProperties() {
    let expansion = Expansion("struct Thing { @Guide(\"g\") func f() {} }")
    #expect(expansion.errors == ["@Guide can only be applied to stored properties"])
  }

  @Test(arguments: [
    ("(Int, String)", "(Int, String)", "tuples have no JSON form, use a @Generatable struct"),
    (
      "[(a: Int, b: Int)]", "(a: Int, b: Int)",
      "tuples have no JSON form, use a @Generatable struct"
    ),
    ("()", "()", "tuples have no JSON form, use a @Generatable struct"),
    ("() -> Void", "() -> Void", "functions have no JSON form"),
    ("(@Sendable (Int) async -> Int)?", "(Int) async -> Int", "functions have no JSON form"),
    ("Any", "Any", "the type of a property must be a concrete one"),
    ("[String: Any]", "Any", "the type of a property must be a concrete one"),
    ("Optional<AnyObject>", "AnyObject", "the type of a property must be a concrete one"),
    ("any Codable", "any Codable", "the type of a property must be a concrete one"),
    ("Array<any Codable>", "any Codable", "the type of a property must be a concrete one"),
    ("A & B", "A & B", "the type of a property must be a concrete one"),
    ("Int.Type", "Int.Type", "the type of a property must be a concrete one"),
    ("[Int: String]", "Int", "the keys of a dictionary must be strings"),
    ("Dictionary<UUID, String>", "UUID", "the keys of a dictionary must be strings"),
  ])
  func typesWithoutAJSONForm(_ type: String, _ culprit: String, _ reason: String) {
    let expansion = Expansion("@Generatable struct Thing { let a: Int; let b: \(type) }")
    #expect(expansion.errors == ["'\(culprit)' cannot be part of a @Generatable type: \(reason)"])
    #expect(expansion.diagnostics.map(\.at) == [culprit])
  }

  @Test func genericParametersMustBeConstrained() {
    let message = "generic parameter 'A' of a @Generatable type must conform to 'GeneratableValue'"
    #expect(Expansion("@Generatable struct Thing<A> { let a: [A] }").errors == [message])
    #expect(Expansion("@Generatable struct Thing<A: P> { let a: [A] }").errors == [])
    #expect(Expansion("@Generatable struct Thing<A> where A: P { let a: A }").errors == [])
    #expect(Expansion("@Generatable struct Thing<A> { let a: Int }").errors == [])
  }

  @Test func constantsAreLeftOutWithAWarning() {
    let expansion = Expansion("@Generatable struct Thing { let id = UUID(); let n: Int = 1 }")
    #expect(
      expansion.warnings
        == ["id", "n"].map {
          "'\($0)' is left out of the JSON schema: "
            + "a constant with an initial value is never decoded"
        })
    #expect(!expansion.text.contains(".add("))
  }

  @Test func constantsWithoutACodingKeyAreNoSurprise() {
    let expansion = Expansion(
      """
      @Generatable struct Thing {
        let id = UUID()
        let a: Int
        enum CodingKeys: CodingKey { case a }
      }
      """)
    #expect(expansion.diagnostics.isEmpty)
  }

  @Test func propertiesNeedDeclarationsOfTheirOwn() {
    let expansion = Expansion("@Generatable struct Thing { var (a, b): (Int, Int) }")
    #expect(
      expansion.errors == ["@Generatable needs a declaration of its own for each property"])
    #expect(Expansion("@Generatable struct Thing { let (a, b) = (1, 2) }").errors == [])
  }

  @Test func conditionalMembersAreRefused() {
    let message =
      "@Generatable cannot look into '#if'; declare stored properties and cases outside of it"
    func errors(_ type: String, _ member: String) -> [String] {
      Expansion("@Generatable \(type) {\n#if DEBUG\n#if X\n\(member)\n#endif\n#endif\n}").errors
    }
    #expect(errors("struct Thing", "let a: Int") == [message])
    #expect(errors("enum Thing: String", "case a") == [message])
    #expect(errors("struct Thing", "func f() {}") == [])
    #expect(errors("struct Thing", "static let a = 1\nvar b: Int { 1 }\nlazy var c = 1") == [])
  }

  @Test(arguments: [
    "typealias CodingKeys = Keys", "struct CodingKeys: CodingKey {}",
    "enum CodingKeys: CodingKey { case a; var stringValue: String { \"x\" } }",
  ])
  func codingKeysThatCannotBeRead(_ declaration: String) {
    let expansion = Expansion("@Generatable struct Thing { let a: Int; \(declaration) }")
    #expect(expansion.warnings.count == 1)
    #expect(expansion.warnings.first?.contains("the JSON schema uses the property names") == true)
    #expect(expansion.text.contains(#".add("a", \.a)"#))
  }
}
