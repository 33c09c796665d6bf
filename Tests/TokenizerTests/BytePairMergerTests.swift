import Testing

@testable import Tokenizer

@Suite struct BytePairMergerTests {
  /// The definition: the pair of lowest rank, the leftmost of those, until there is none.
  private func reference(_ piece: [Int32], _ table: MergeTable) -> [Int32] {
    var ids = piece
    while true {
      let merges = (0..<max(0, ids.count - 1)).map { table.merge(ids[$0], ids[$0 + 1]) }
      guard let best = merges.min(), best != MergeTable.none,
        let index = merges.firstIndex(of: best)
      else { return ids }
      ids[index...index + 1] = [MergeTable.result(of: best)]
    }
  }

  @Test func agreesWithTheDefinitionOnRandomMerges() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      // Merges of anything seen so far, in random order of rank: also such as no training makes.
      var table = MergeTable(capacity: 40)
      let ranks = (0..<40).shuffled(using: &random)
      for (step, rank) in ranks.enumerated() {
        let limit = Int32(4 + step)
        table.insert(
          .random(in: 0..<limit, using: &random), .random(in: 0..<limit, using: &random),
          rank: rank, result: limit)
      }
      var merger = BytePairMerger(table)
      for _ in 0..<10 {
        let count = Int.random(in: 0...40, using: &random)
        let piece = (0..<count).map { _ in Int32.random(in: 0..<4, using: &random) }
        var output: [Int32] = []
        merger.merge(piece, into: &output)
        #expect(output == reference(piece, table))
      }
    }
  }

  @Test func theFirstOfTwoMergesForAPairCounts() {
    var table = MergeTable(capacity: 2)
    table.insert(1, 2, rank: 5, result: 3)
    table.insert(1, 2, rank: 6, result: 4)
    #expect(MergeTable.result(of: table.merge(1, 2)) == 3)
    #expect(table.merge(2, 1) == MergeTable.none)
  }
}
