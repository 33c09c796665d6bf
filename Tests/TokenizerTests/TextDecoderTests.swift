import Testing
import Tokenizer

@Suite struct TextDecoderTests {
  private func stream(_ parts: [[UInt8]]) -> [String] {
    var decoder = TextDecoder()
    return parts.map { decoder.append($0) } + [decoder.finish()]
  }

  @Test func scalarsWaitForTheirLastByte() {
    #expect(stream([[0xF0], [0x9F], [0x98], [0x80, 0x61]]) == ["", "", "", "😀a", ""])
    #expect(stream([[0x61, 0xC3], [0xA9]]) == ["a", "é", ""])
    #expect(stream([[], [0x61], []]) == ["", "a", "", ""])
  }

  @Test func bytesThatCannotBeCompletedDoNotWait() {
    #expect(stream([[0xFF], [0x61]]) == ["\u{FFFD}", "a", ""])
    #expect(stream([[0x80]]) == ["\u{FFFD}", ""])
    #expect(stream([[0xC1]]) == ["\u{FFFD}", ""])
    #expect(stream([[0xED, 0xA0]]) == ["\u{FFFD}\u{FFFD}", ""])
    #expect(stream([[0xF4, 0x90]]) == ["\u{FFFD}\u{FFFD}", ""])
    #expect(stream([[0xE0, 0x80]]) == ["\u{FFFD}\u{FFFD}", ""])
    #expect(stream([[0xE4], [0x61]]) == ["", "\u{FFFD}a", ""])
  }

  @Test func theEndFlushesOneReplacementForAnUnfinishedScalar() {
    #expect(stream([[0xF0, 0x9F, 0x98]]) == ["", "\u{FFFD}"])
    #expect(stream([[0xE4, 0xB8]]) == ["", "\u{FFFD}"])
    #expect(stream([[0x61, 0xC3]]) == ["a", "\u{FFFD}"])
    var decoder = TextDecoder()
    _ = decoder.append([0xC3])
    _ = decoder.finish()
    #expect(decoder.append([0xA9]) == "\u{FFFD}")
  }

  @Test func anyCutGivesTheTextOfTheWhole() {
    var random = SystemRandomNumberGenerator()
    let interesting: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
      0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<4_000 {
      let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        interesting[Int.random(in: 0..<interesting.count, using: &random)]
      }
      let cut = Int.random(in: 0...bytes.count, using: &random)
      let joined = stream([Array(bytes[..<cut]), Array(bytes[cut...])]).joined()
      #expect(Array(joined.utf8) == Array(String(decoding: bytes, as: UTF8.self).utf8))
      let single = stream(bytes.map { [$0] })
      #expect(single.joined().utf8.elementsEqual(joined.utf8))
    }
  }
}
