import Foundation

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
public struct SHA256: Sendable {
  private static let blockBytes = 64

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes of a block that is not full yet.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  public init() {}

  /// The digest of bytes that are all there.
  public static func digest(_ bytes: some ContiguousBytes) -> SHA256Digest {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finalized()
  }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount &+= UInt64(bytes.count)
    var rest = bytes
    if !pending.isEmpty {
      let count = min(Self.blockBytes - pending.count, rest.count)
      pending.append(contentsOf: rest.prefix(count))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      guard pending.count == Self.blockBytes else { return }
      pending.withUnsafeBytes { compress($0) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count - rest.count % Self.blockBytes
    compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
    pending.append(contentsOf: rest.dropFirst(whole))
  }

  /// The digest of everything so far; more may follow.
  public func finalized() -> SHA256Digest {
    var last = self
    var padding: [UInt8] = [0x80]
    let used = (pending.count + 1) % Self.blockBytes
    padding += [UInt8](repeating: 0, count: (Self.blockBytes + 56 - used) % Self.blockBytes)
    withUnsafeBytes(of: (byteCount &* 8).bigEndian) { padding += $0 }
    padding.withUnsafeBytes { last.update($0) }
    let bytes = last.state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
    return SHA256Digest(bytes)
  }

  /// Takes whole blocks.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    state.withUnsafeMutableBufferPointer { state in
      Self.constants.withUnsafeBufferPointer { constants in
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
          words.initialize(repeating: 0)
          for start in stride(from: 0, to: blocks.count, by: Self.blockBytes) {
            Self.compress(blocks, at: start, state, constants, words)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func compress(
    _ blocks: UnsafeRawBufferPointer, at start: Int,
    _ state: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
    _ words: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      words[index] = UInt32(
        bigEndian: blocks.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self))
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let small = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let large = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    // Eight rounds bring every variable back to its place, so that none has to be moved.
    for index in stride(from: 0, to: 64, by: 8) {
      round(a, b, c, &d, e, f, g, &h, constants[index] &+ words[index])
      round(h, a, b, &c, d, e, f, &g, constants[index + 1] &+ words[index + 1])
      round(g, h, a, &b, c, d, e, &f, constants[index + 2] &+ words[index + 2])
      round(f, g, h, &a, b, c, d, &e, constants[index + 3] &+ words[index + 3])
      round(e, f, g, &h, a, b, c, &d, constants[index + 4] &+ words[index + 4])
      round(d, e, f, &g, h, a, b, &c, constants[index + 5] &+ words[index + 5])
      round(c, d, e, &f, g, h, a, &b, constants[index + 6] &+ words[index + 6])
      round(b, c, d, &e, f, g, h, &a, constants[index + 7] &+ words[index + 7])
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  /// Sets the two variables that a round changes.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ input: UInt32
  ) {
    let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    let first = h &+ input &+ sum1 &+ (g ^ e & (f ^ g))
    let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    d = d &+ first
    h = first &+ sum0 &+ (a & b ^ c & (a ^ b))
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
    0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
    0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
    0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
    0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
