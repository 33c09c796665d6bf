import Audio
import TestSupport
import Testing

@Suite struct PiecesTests {
  @Test func piecesCoverTheClipAndAreCutWhereItIsQuiet() {
    var random = SeededRandom(seed: 4)
    var samples = (0..<16_000 * 10).map { _ in Float.random(in: -1...1, using: &random) }
    // Silence at 2.5 and 5.2 seconds.
    for start in [40_000, 83_200] { for index in start..<start + 3_200 { samples[index] = 0 } }
    let pieces = AudioClip(samples: samples).pieces(longest: 3)
    #expect(pieces.first?.lowerBound == 0 && pieces.last?.upperBound == samples.count)
    for (a, b) in zip(pieces, pieces.dropFirst()) { #expect(a.upperBound == b.lowerBound) }
    #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= 48_000 })
    #expect((40_000..<43_200).contains(pieces[0].upperBound))
    #expect((83_200..<86_400).contains(pieces[1].upperBound))
  }

  @Test(arguments: [0, 1, 319, 16_000]) func shortClipsAreOnePiece(count: Int) {
    let clip = AudioClip(samples: [Float](repeating: 0.1, count: count))
    #expect(clip.pieces(longest: 1) == [0..<count])
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, 0.001]) func limitsWithoutSenseDoNotTrap(
    seconds: Double
  ) {
    let clip = AudioClip(samples: [Float](repeating: 0, count: 4_000))
    let pieces = clip.pieces(longest: seconds)
    #expect(pieces.reduce(0) { $0 + $1.count } == 4_000)
  }
}
