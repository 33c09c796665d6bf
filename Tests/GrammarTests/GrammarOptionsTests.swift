import Grammar
import Testing

@Suite struct GrammarOptionsTests {
  @Test func blanksAreFlexibleUnlessAskedOtherwise() {
    #expect(GrammarOptions().whitespace == .flexible)
  }
}
