/// SHA-256 (FIPS 180-4), to compare long listings with a published digest.
func sha256Hex(_ message: [UInt8]) -> String {
  let primes = (2...311).filter { n in !(2..<n).contains { n % $0 == 0 } }
  func fraction(_ root: Double) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt64((root - root.rounded(.down)) * 0x1p32))
  }
  func cubeRoot(_ value: Double) -> Double {
    var root = value / 3
    for _ in 0..<60 { root -= (root * root * root - value) / (3 * root * root) }
    return root
  }
  let constants = primes.prefix(64).map { fraction(cubeRoot(Double($0))) }
  var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }

  var padded = message + [0x80]
  while padded.count % 64 != 56 { padded.append(0) }
  withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { padded.append(contentsOf: $0) }

  func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }
  var w = [UInt32](repeating: 0, count: 64)
  for start in stride(from: 0, to: padded.count, by: 64) {
    for i in 0..<16 {
      w[i] = padded[start + 4 * i..<start + 4 * i + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for i in 16..<64 {
      let a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3
      let b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10
      w[i] = w[i - 16] &+ a &+ w[i - 7] &+ b
    }
    var v = state
    for i in 0..<64 {
      let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let t1 = v[7] &+ s1 &+ choice &+ constants[i] &+ w[i]
      let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      v = [t1 &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
    }
    for i in 0..<8 { state[i] &+= v[i] }
  }
  return state.map { word in
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }.joined()
}
