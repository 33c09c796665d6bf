import Audio
import Foundation
import Speech
import TestSupport
import Testing

@testable import Generation

@Suite struct SpokenTurnTests {
  private func turn() throws -> SpokenTurn {
    SpokenTurn(items: [
      .text(5), .frame(try AudioCodes([0, 1, 2, 3, 4, 5, 6, 2_047])), .frame(.ending),
      .text(65_535),
    ])
  }

  @Test func aTurnTravelsInItsWAVFile() throws {
    let turn = try turn()
    let wav = turn.wav([0.5, -0.5])
    #expect(SpokenTurn(wav: wav) == turn)
    #expect(SpokenTurn(wav: WAVFile.data([0], sampleRate: 24_000)) == nil)
    #expect(SpokenTurn(bytes: SpokenTurn().bytes) == SpokenTurn())
  }

  @Test func damagedTurnsAreNoTurns() throws {
    let bytes = try turn().bytes
    for count in 0..<bytes.count {
      let cut = SpokenTurn(bytes: Array(bytes.prefix(count)))
      #expect(cut.map { $0.items.count < 4 } ?? true)
    }
    var random = SeededRandom(seed: 2)
    for _ in 0..<5_000 {
      var damaged = bytes
      damaged[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      for case .text(let token) in SpokenTurn(bytes: damaged)?.items ?? [] { #expect(token >= 0) }
    }
    #expect(SpokenTurn(bytes: [2, 0, 0, 0, 0, 0]) == nil)
    #expect(SpokenTurn(bytes: [1, 0, 0, 0, 0, 0x80]) == nil)
  }

  @Test func japaneseModelsTakeOtherTurns() {
    #expect(
      SpeechInterleaving.known(forModelNamed: "LFM2.5-Audio-1.5B-JP-Q4_0.gguf")
        == SpeechInterleaving(textTokens: 6, audioFrames: 9))
    #expect(
      SpeechInterleaving.known(forModelNamed: "LFM2.5-Audio-1.5B")
        == SpeechInterleaving(textTokens: 6, audioFrames: 12))
  }
}
