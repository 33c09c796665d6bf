import Foundation
import Persistence
import Testing

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func theStandardsExamples(_ text: String, _ digest: String) {
    #expect(SHA256.digest(Data(text.utf8)).description == digest)
    #expect(SHA256Digest(hex: digest.uppercased())?.description == digest)
  }

  /// The digest of the digests of all prefixes of 0, 7, 14, ..., from an independent implementation.
  @Test func everyTailIsRight() {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var all = SHA256()
    for count in 0...200 {
      SHA256.digest(bytes[..<count]).bytes.withUnsafeBytes { all.update($0) }
    }
    #expect(
      all.finalized().description
        == "c43614ca86d050b81500ab839e2b7e83381ef396e722c27d3e537ab57268e893")
  }

  @Test func piecesMakeNoDifference() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
    let whole = SHA256.digest(bytes)
    for size in [1, 3, 63, 64, 65, 127, 500] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { hash.update($0) }
      }
      #expect(hash.finalized() == whole)
    }
  }

  @Test(arguments: ["", "0", String(repeating: "g", count: 64), String(repeating: "é", count: 32)])
  func whatIsNoDigestIsNotRead(_ text: String) {
    #expect(SHA256Digest(hex: text) == nil)
  }
}
