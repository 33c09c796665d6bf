import Testing

@testable import Tokenizer

@Suite struct UnicodeTests {
  /// The table is of Unicode 16. The standard library may know a later version, whose additions the
  /// table must not have, or an earlier one, which cannot judge the scalars it does not know.
  @Test func classesAgreeWithTheStandardLibrary() throws {
    var compared = 0
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      guard let age = properties.age else { continue }
      let isNewer = age.major > 16
      compared += 1
      let expected: ScalarClass =
        switch isNewer ? .unassigned : properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
          .letter
        case .decimalNumber, .letterNumber, .otherNumber: .number
        default:
          value == 0x0A || value == 0x0D ? .newline : properties.isWhitespace ? .space : .other
        }
      let found = ScalarClass.of(value)
      if found != expected { Issue.record("U+\(String(value, radix: 16)): \(found)") }
    }
    #expect(compared > 280_000)
  }

  @Test func scalarsAreReadFromUTF8() {
    for scalar in "a\u{7F}\u{80}é\u{7FF}\u{800}世\u{FFFF}\u{10000}😀\u{10FFFF}".unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      let reader = ScalarReader(bytes: bytes + [0x61], end: bytes.count, endsAtNumbers: false)
      let read = reader.scalar(at: 0)
      #expect(read.value == scalar.value)
      #expect(read.next == bytes.count)
      #expect(reader.scalar(at: bytes.count).scalarClass == .end)
    }
  }

  @Test func bytesThatAreNoScalarAreReadOneByOne() {
    let bytes: [UInt8] = [0x80, 0xC3, 0xFF, 0xE4, 0xB8]
    let reader = ScalarReader(bytes: bytes, end: bytes.count, endsAtNumbers: false)
    var index = 0
    while index < bytes.count {
      let scalar = reader.scalar(at: index)
      #expect(scalar.next > index && scalar.next <= bytes.count)
      index = scalar.next
    }
  }
}
