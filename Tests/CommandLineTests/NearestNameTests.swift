import Testing

@testable import CommandLineSupport

@Suite struct NearestNameTests {
  let names = ["--temp", "--top-k", "--top-p", "--threads", "--json", "chat", "inspect"]

  @Test(
    arguments: [
      ("--tmep", "--temp"), ("--temperature", nil), ("--topk", "--top-k"),
      ("--thread", "--threads"),
      ("jason", "--json"), ("chatt", "chat"), ("insp", "inspect"), ("INSPECT", "inspect"),
      ("zebra", nil), ("", nil), ("--", nil),
    ] as [(String, String?)]) func findsWhatWasMeant(typed: String, expected: String?)
  {
    #expect(nearestName(to: typed, among: names) == expected)
  }

  @Test func offersNothingForAnAbsurdlyLongName() {
    #expect(nearestName(to: String(repeating: "a", count: 100_000), among: names) == nil)
  }

  @Test func countsEdits() {
    #expect(editDistance(Array("kitten"), Array("sitting")) == 3)
    #expect(editDistance(Array("ab"), Array("ba")) == 1)
    #expect(editDistance([], Array("abc")) == 3)
    #expect(editDistance(Array("abc"), []) == 3)
  }
}
