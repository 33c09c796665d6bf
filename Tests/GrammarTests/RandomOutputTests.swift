import Grammar
import JSON
import Testing

/// A finished answer always validates, whatever the model would have liked to say.
@Suite struct RandomOutputTests {
  private static let schemas = isLongRun ? 300 : 20
  private static let outputs = isLongRun ? 100 : 2

  private func expectValidOutputs(
    _ vocabulary: PieceVocabulary, schemas: Int, outputs: Int, seed: UInt64
  ) {
    var count = 0
    var length = 0
    for number in 0..<UInt64(schemas) {
      var random = RandomOutputs(SchemaGenerator.schema(seed: number), seed: seed &+ number)
      for index in 0..<outputs {
        guard let text = random.next(vocabulary, index % 2 == 0 ? .canonical : .flexible) else {
          break
        }
        count += 1
        length += text.count
      }
    }
    #expect(count == schemas * outputs)
    print("\(count) outputs of \(schemas) schemas are valid, \(length / max(1, count)) bytes each")
  }

  @Test func outputsOfGeneratedSchemasValidate() {
    expectValidOutputs(.small, schemas: Self.schemas, outputs: Self.outputs, seed: 1)
  }

  @Test func outputsWithARealVocabularyValidate() {
    guard let vocabulary = PieceVocabulary.lfm2 else { return }
    expectValidOutputs(
      vocabulary, schemas: isLongRun ? 300 : 5, outputs: isLongRun ? 20 : 1, seed: 2)
  }

  @Test func generatedSchemasUseEveryKeyword() {
    var keywords: Set<String> = []
    func collect(_ schema: JSONValue) {
      for (key, value) in schema.objectValue?.members ?? [] {
        keywords.insert(key)
        collect(value)
      }
      for element in schema.arrayValue ?? [] { collect(element) }
    }
    for seed in 0..<300 as Range<UInt64> { collect(SchemaGenerator.schema(seed: seed)) }
    #expect(
      keywords.isSuperset(of: [
        "type", "enum", "const", "properties", "required", "additionalProperties", "items",
        "prefixItems", "minItems", "maxItems", "minLength", "maxLength", "pattern", "format",
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "anyOf", "oneOf", "allOf",
        "$ref", "$defs", "description", "title", "default", "examples",
      ]))
  }
}
