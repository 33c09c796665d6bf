import Testing

@testable import Generation

@Suite struct PrefixEntriesTests {
  private typealias Entries = PrefixEntries<String>

  private func entry(
    _ payload: String, _ tokens: [Int32], point: String? = nil, bytes: Int = 1
  ) -> Entries.Entry {
    Entries.Entry(tokens: tokens, point: point, bytes: bytes, payload: payload)
  }

  private func names(_ entries: Entries) -> [String] { entries.entries.map(\.payload).sorted() }

  @Test func findsTheLongestCommonBeginning() {
    var entries = Entries(maximumCount: 10)
    _ = entries.insert(entry("a", [1, 2, 3]))
    _ = entries.insert(entry("b", [1, 2, 4, 5]))
    func best(_ prompt: [Int32]) -> String? {
      entries.best(for: prompt).map { "\(entries.entries[$0.index].payload)\($0.common)" }
    }
    #expect(best([1, 2, 3, 9]) == "a3")
    #expect(best([1, 2, 4]) == "b3")
    #expect(best([2]) == nil)
    #expect(best([]) == nil)
  }

  @Test func anEntryReplacesWhatItExtendsAndNothingElse() {
    var entries = Entries(maximumCount: 10)
    _ = entries.insert(entry("short", [1, 2]))
    _ = entries.insert(entry("other", [1, 3]))
    #expect(entries.insert(entry("long", [1, 2, 3])) == ["short"])
    #expect(names(entries) == ["long", "other"])
    #expect(entries.covers([1, 2], point: nil))
    #expect(!entries.covers([1, 2, 3, 4], point: nil))
  }

  @Test func theLeastRecentlyUsedMakesRoom() {
    var entries = Entries(maximumCount: 2)
    _ = entries.insert(entry("a", [1]))
    _ = entries.insert(entry("b", [2]))
    if let (index, _) = entries.best(for: [1]) { entries.use(index) }
    #expect(entries.insert(entry("c", [3])) == ["b"])
    #expect(names(entries) == ["a", "c"])
  }

  @Test func namedEntriesOutliveOthersButNotTheLimit() {
    var entries = Entries(maximumCount: 2)
    _ = entries.insert(entry("system", [1], point: "p"))
    _ = entries.insert(entry("b", [2]))
    #expect(entries.insert(entry("c", [3])) == ["b"])
    // A longer one of no name does not replace it; one of its name does.
    #expect(entries.insert(entry("d", [1, 2])) == ["c"])
    #expect(!entries.covers([1], point: "q"))
    #expect(entries.covers([1], point: "p"))
    #expect(entries.insert(entry("e", [1, 3], point: "p")) == ["system"])
    #expect(entries.insert(entry("f", [4], point: "q")) == ["d"])
    #expect(entries.insert(entry("g", [5], point: "r")) == ["e"])
    #expect(names(entries) == ["f", "g"])
  }

  @Test func bytesAreBoundedToo() {
    var entries = Entries(maximumCount: 10, maximumBytes: 10)
    _ = entries.insert(entry("a", [1], bytes: 4))
    _ = entries.insert(entry("b", [2], bytes: 4))
    #expect(entries.insert(entry("c", [3], bytes: 4)) == ["a"])
    #expect(entries.insert(entry("huge", [4], bytes: 11)) == ["huge"])
    #expect(names(entries) == ["b", "c"])
    var none = Entries(maximumCount: 0)
    #expect(none.insert(entry("a", [1])) == ["a"])
  }
}
