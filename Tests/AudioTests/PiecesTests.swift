import Audio
import TestSupport
import Testing

@Suite struct PiecesTests {
  private func pieces(_ samples: [Float], longest: Double) throws -> [Range<Int>] {
    let sound = try WAVSound(WAVFile.data(samples, sampleRate: 16_000))
    var pieces: [Range<Int>] = []
    while pieces.last?.upperBound ?? 0 < sound.count {
      pieces.append(try sound.piece(from: pieces.last?.upperBound ?? 0, longest: longest))
    }
    return pieces
  }

  @Test func piecesCoverTheSoundAndAreCutWhereItIsQuiet() throws {
    var random = SeededRandom(seed: 4)
    var samples = (0..<16_000 * 10).map { _ in Float.random(in: -1...1, using: &random) }
    // Silence at 2.5 and 5.2 seconds.
    for start in [40_000, 83_200] { for index in start..<start + 3_200 { samples[index] = 0 } }
    let pieces = try pieces(samples, longest: 3)
    #expect(pieces.first?.lowerBound == 0 && pieces.last?.upperBound == samples.count)
    for (a, b) in zip(pieces, pieces.dropFirst()) { #expect(a.upperBound == b.lowerBound) }
    #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= 48_000 })
    #expect((40_000..<43_200).contains(pieces[0].upperBound))
    #expect((83_200..<86_400).contains(pieces[1].upperBound))
  }

  @Test(arguments: [1, 319, 16_000]) func shortSoundsAreOnePiece(count: Int) throws {
    #expect(try pieces([Float](repeating: 0.1, count: count), longest: 1) == [0..<count])
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, 0.001]) func limitsWithoutSenseDoNotTrap(
    seconds: Double
  ) throws {
    let pieces = try pieces([Float](repeating: 0, count: 4_000), longest: seconds)
    #expect(pieces.reduce(0) { $0 + $1.count } == 4_000)
  }

  @Test func partsAreReadAsTheyLie() throws {
    let sound = try WAVSound(WAVFile.data([0, 0.25, 0.5, 1], sampleRate: 16_000))
    #expect(sound.count == 4)
    #expect(try sound.samples(1..<3) == [0.25, 0.5])
    #expect(try sound.samples(-5..<100) == [0, 0.25, 0.5, 1])
    #expect(try sound.samples(7..<9).isEmpty)
  }
}
