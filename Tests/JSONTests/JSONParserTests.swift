import JSON
import Testing

@Suite struct JSONParserTests {
  @Test func placeholder() throws { #expect(try JSONValue(parsing: "[1]") == [1]) }
}
