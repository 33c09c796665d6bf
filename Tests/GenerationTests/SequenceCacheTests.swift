import Testing

@testable import Generation

@Suite struct SequenceCacheTests {
  private func choose(
    for owner: UInt64?, common: [Int], owners: [UInt64?], limit: Int = 2
  ) -> SequenceChoice {
    .choose(
      for: owner, common: common, owners: owners, lastUses: owners.indices.map { UInt64($0) },
      limit: limit)
  }

  @Test func aConversationGetsItsOwnSequenceBack() {
    #expect(choose(for: 7, common: [500, 0], owners: [3, 7]) == .use(1))
  }

  @Test func aNewConversationGetsANewSequenceWhileThereIsRoom() {
    #expect(choose(for: 7, common: [10], owners: [3]) == .make)
  }

  @Test func aNewConversationWithTheSameStartGetsACopy() {
    #expect(choose(for: 7, common: [500], owners: [3]) == .fork(0, replacing: nil))
  }

  @Test func withoutRoomTheOldestMakesWay() {
    #expect(choose(for: 7, common: [0, 0], owners: [3, 4]) == .use(0))
    #expect(choose(for: 7, common: [0, 500], owners: [3, 4]) == .fork(1, replacing: 0))
    #expect(choose(for: 7, common: [500, 0], owners: [3, 4]) == .use(0))
  }

  @Test func requestsWithoutOwnerShareOneSequence() {
    #expect(choose(for: nil, common: [500, 0], owners: [7, nil]) == .use(1))
    #expect(choose(for: nil, common: [0], owners: [7]) == .make)
    #expect(choose(for: 7, common: [500], owners: [nil]) == .fork(0, replacing: nil))
  }

  @Test func theCacheHoldsNoMoreThanItsLimit() throws {
    var cache = SequenceCache<ScriptedSequence>(limit: 2)
    var made = 0
    for owner: UInt64 in [1, 2, 1, 3, 1, 3] {
      _ = try cache.sequence(for: owner, prompt: [1]) { () throws(GenerationError) in
        made += 1
        return ScriptedSequence { _ in 0 }
      } fork: { (origin: ScriptedSequence) throws(GenerationError) in
        origin
      }
    }
    #expect(made == 2)
  }
}
