/// The alphabet in which byte-level BPE writes bytes as printable characters: ! to ~, ¡ to ¬ and
/// ® to ÿ stand for themselves, the other 68 bytes in ascending order for U+0100, U+0101 and so on.
enum ByteAlphabet {
  /// The UTF-8 spelling of each byte; a second byte of 0 means there is none.
  static let spellings: [(UInt8, UInt8)] = scalars.map { scalar in
    scalar < 0x80
      ? (UInt8(scalar), 0) : (UInt8(0xC0 | scalar >> 6), UInt8(0x80 | scalar & 0x3F))
  }

  /// The scalar each byte is written as.
  private static let scalars: [UInt16] = {
    var next: UInt16 = 0x100
    return (0...255 as ClosedRange<UInt16>).map { byte in
      switch byte {
      case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: return byte
      default:
        defer { next += 1 }
        return next
      }
    }
  }()

  /// The byte for each scalar of the alphabet, by scalar; -1 for scalars outside it.
  private static let bytes: [Int16] = {
    var bytes = [Int16](repeating: -1, count: 0x144)
    for (byte, scalar) in scalars.enumerated() { bytes[Int(scalar)] = Int16(byte) }
    return bytes
  }()

  /// Appends the spelling of `bytes`.
  static func spell(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
    let spellings = spellings
    for byte in bytes {
      let (first, second) = spellings[Int(byte)]
      output.append(first)
      if second != 0 { output.append(second) }
    }
  }

  /// Appends the bytes a token's text stands for. What is not of the alphabet stands for itself.
  static func decode(_ text: ArraySlice<UInt8>, into output: inout [UInt8]) {
    var index = text.startIndex
    while index < text.endIndex {
      let first = text[index]
      if first >= 0xC2, first <= 0xC5, index + 1 < text.endIndex, text[index + 1] & 0xC0 == 0x80 {
        let scalar = Int(first & 0x1F) << 6 | Int(text[index + 1] & 0x3F)
        if scalar < bytes.count, bytes[scalar] >= 0 {
          output.append(UInt8(bytes[scalar]))
        } else {
          output.append(contentsOf: text[index...index + 1])
        }
        index += 2
      } else {
        output.append(first)
        index += 1
      }
    }
  }
}
