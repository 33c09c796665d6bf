import Foundation
import GGUF
import Testing

@Suite struct MalformedGGUFTests {
  @Test(arguments: MalformedKind.all) func everyKindIsAcceptedOrRefusedAsItShould(
    _ kind: MalformedKind
  ) {
    for seed in UInt64(1)...10 {
      let error = openChecked(kind.make(.random(seed: seed), seed), "\(kind.name), seed \(seed)")
      switch kind.outcome {
      case .accepted: #expect(error == nil, "\(kind.name), seed \(seed)")
      case .refused(let isExpected):
        #expect(
          error.map(isExpected) == true,
          "\(kind.name), seed \(seed): \(error?.description ?? "accepted")")
      }
    }
  }

  @Test func thereAreAtLeastAThousandFiles() {
    #expect(MalformedKind.all.count * 10 >= 1000)
    #expect(Set(MalformedKind.all.map(\.name)).count == MalformedKind.all.count)
  }

  @Test func aFileCutAtAnyByteIsRefused() {
    let file = RawGGUF.random(seed: 3)
    let bytes = file.bytes()
    guard let last = (try? GGUFFile(bytes: bytes))?.tensors.last else {
      Issue.record("the whole file does not open")
      return
    }
    for count in 0..<(last.fileOffset + last.byteCount) {
      #expect(openChecked(Array(bytes.prefix(count)), "cut to \(count)") != nil, "cut to \(count)")
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func anyIntegerOfAnyValueIsHandled(_ seed: UInt64)
  {
    let (bytes, fields, _) = RawGGUF.random(seed: seed).encoded()
    for field in fields {
      let range = field.offset..<(field.offset + field.width)
      let original = bytes[range].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      let values: [UInt64] = [
        0, 1, 2, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 63 - 1, 1 << 63, .max, original &- 1,
        original &+ 1, 0x7FFF_FFFF_FFFF_FFC0,
      ]
      for value in values {
        var changed = bytes
        changed.replaceSubrange(range, with: littleEndian(value).prefix(field.width))
        openChecked(changed, "\(field.name) = \(value)")
      }
    }
  }

  @Test func anyFlippedBitIsHandled() {
    let bytes = RawGGUF.random(seed: 11).bytes()
    for place in 0..<min(bytes.count, 2048) {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << bit
        openChecked(changed, "bit \(bit) of byte \(place)")
      }
    }
  }
}
