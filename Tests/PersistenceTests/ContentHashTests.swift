import Foundation
import Testing

@testable import Persistence

@Suite struct ContentHashTests {
  @Test func everyByteAndTheLengthCount() {
    var seen: Set<ContentHash> = []
    var expected = 0
    for count in 0..<200 {
      let bytes = [UInt8](repeating: 0, count: count)
      seen.insert(ContentHash(bytes))
      expected += 1
      for index in 0..<count {
        var changed = bytes
        changed[index] = 1
        seen.insert(ContentHash(changed))
        changed[index] = 0x80
        seen.insert(ContentHash(changed))
        expected += 2
      }
    }
    #expect(seen.count == expected)
    #expect(Set(seen.map(\.low)).count == expected)
    #expect(Set(seen.map(\.high)).count == expected)
  }

  @Test func theHashIsTheSameInEveryRunAndOnEveryMachine() {
    #expect(
      ContentHash(Array("The quick brown fox".utf8)).description
        == "0b510ce917815cfbdfbcd0b49e23eb20")
    #expect(ContentHash(high: 1, low: 0xAB).description == "000000000000000100000000000000ab")
  }

  @Test func everyPieceOfALargeFileCounts() {
    var bytes = [UInt8](repeating: 3, count: 2 * ContentHash.pieceBytes + 5)
    func hash() -> ContentHash { bytes.withUnsafeBytes { ContentHash(large: $0) } }
    let original = hash()
    #expect(hash() == original)
    for index in [0, ContentHash.pieceBytes, bytes.count - 1] {
      bytes[index] ^= 1
      #expect(hash() != original)
      bytes[index] ^= 1
    }
    // Pieces that trade places are another file.
    bytes[0] = 9
    let first = hash()
    bytes.swapAt(0, ContentHash.pieceBytes)
    #expect(hash() != first)
    bytes.removeLast()
    #expect(hash() != first)
    bytes = []
    #expect(hash() != original)
  }

  @Test func aMixedHashDependsOnBoth() {
    let hash = ContentHash(high: 1, low: 2)
    #expect(hash.mixed(with: 0) != hash)
    #expect(hash.mixed(with: 0) != hash.mixed(with: 1))
  }
}
