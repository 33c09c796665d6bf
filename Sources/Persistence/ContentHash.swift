import Dispatch

/// A 128-bit hash of bytes, at about the speed of memory: what tells one model file from another
/// and finds damage. Not cryptographic: it does not withstand someone who looks for a collision.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Four lanes take 16 bytes each in turn; every step multiplies to 128 bits and folds.
  public init(_ bytes: UnsafeRawBufferPointer) {
    var lanes = Lanes()
    var offset = 0
    while bytes.count - offset >= Lanes.blockBytes {
      lanes.add(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Lanes.blockBytes]))
      offset += Lanes.blockBytes
    }
    if offset < bytes.count {
      // The rest, filled up with zeros; the length, which goes into the result, tells it apart.
      withUnsafeTemporaryAllocation(byteCount: Lanes.blockBytes, alignment: 8) { block in
        block.initializeMemory(as: UInt8.self, repeating: 0)
        block.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        lanes.add(UnsafeRawBufferPointer(block))
      }
    }
    self = lanes.finished(count: UInt64(bytes.count))
  }

  public init(_ bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { ContentHash($0) }
  }

  /// The hash of a large file's bytes: of the hashes of its pieces, which all cores work on.
  public init(large bytes: UnsafeRawBufferPointer) {
    let pieces = (bytes.count + Self.pieceBytes - 1) / Self.pieceBytes
    let hashes = [ContentHash](unsafeUninitializedCapacity: pieces) { results, count in
      let work = Pieces(bytes: bytes, results: results)
      DispatchQueue.concurrentPerform(iterations: pieces) { work.hash($0) }
      count = pieces
    }
    let digest = hashes.flatMap { [$0.high.littleEndian, $0.low.littleEndian] }
    self = digest.withUnsafeBytes { ContentHash($0) }.mixed(with: UInt64(bytes.count))
  }

  /// Another hash for each value, to bind more than the content.
  public func mixed(with value: UInt64) -> ContentHash {
    let words = [high.littleEndian, low.littleEndian, value.littleEndian]
    return words.withUnsafeBytes { ContentHash($0) }
  }

  /// 32 hexadecimal digits.
  public var description: String { Self.digits(high) + Self.digits(low) }

  static func digits(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }

  static let pieceBytes = 16 << 20
}

/// The pieces of one large range, hashed side by side.
private struct Pieces: @unchecked Sendable {
  // Unchecked: the bytes are only read, and every piece writes a result of its own.
  let bytes: UnsafeRawBufferPointer
  let results: UnsafeMutableBufferPointer<ContentHash>

  func hash(_ index: Int) {
    let start = index * ContentHash.pieceBytes
    let end = min(start + ContentHash.pieceBytes, bytes.count)
    let piece = ContentHash(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    results.initializeElement(at: index, to: piece)
  }
}

private struct Lanes {
  static let blockBytes = 64

  // Digits of pi.
  private static let keys: (UInt64, UInt64, UInt64, UInt64) = (
    0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0, 0x082E_FA98_EC4E_6C89
  )
  private var states: (UInt64, UInt64, UInt64, UInt64) = (
    0x4528_21E6_38D0_1377, 0xBE54_66CF_34E9_0C6C, 0xC0AC_29B7_C97C_50DD, 0x3F84_D5B5_B547_0917
  )

  @inline(__always)
  mutating func add(_ block: UnsafeRawBufferPointer) {
    func word(_ index: Int) -> UInt64 {
      UInt64(littleEndian: block.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    states.0 = Self.fold(word(0) ^ Self.keys.0, word(1) ^ states.0)
    states.1 = Self.fold(word(2) ^ Self.keys.1, word(3) ^ states.1)
    states.2 = Self.fold(word(4) ^ Self.keys.2, word(5) ^ states.2)
    states.3 = Self.fold(word(6) ^ Self.keys.3, word(7) ^ states.3)
  }

  func finished(count: UInt64) -> ContentHash {
    let x = Self.fold(states.0 ^ Self.keys.3, states.1 ^ count ^ Self.keys.2)
    let y = Self.fold(states.2 ^ Self.keys.1, states.3 ^ count ^ Self.keys.0)
    return ContentHash(
      high: Self.fold(x ^ Self.keys.0, y ^ Self.keys.1) ^ x,
      low: Self.fold(y ^ Self.keys.2, x ^ Self.keys.3) ^ y)
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
