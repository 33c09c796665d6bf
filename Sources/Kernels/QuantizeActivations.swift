/// Quantises activations to int8, 32 at a time: d = max|x| / 127, q = x / d rounded half away from
/// zero. `scales` receives d per 32, `sums` the sum of q per 16. `count` is a multiple of 32.
///
/// NaN and infinity make the block's scale NaN or infinite, so that results depending on it show
/// it. Where 1/d is not finite (values below about 1e-36) q is 0.
public func quantizeActivations(
  _ x: UnsafePointer<Float>, _ count: Int, _ q: UnsafeMutablePointer<Int8>,
  _ scales: UnsafeMutablePointer<Float>, _ sums: UnsafeMutablePointer<Int32>
) {
  for block in 0..<(count / 32) {
    let (scale, low, high) = quantizeBlock(x + block * 32)
    scales[block] = scale
    storeBytes(low, q + block * 32)
    storeBytes(high, q + block * 32 + 16)
    sums[block * 2] = wordSum(low)
    sums[block * 2 + 1] = wordSum(high)
  }
}

/// The scale of 32 values and their signed quantised values.
@inline(__always)
func quantizeBlock(_ x: UnsafePointer<Float>) -> (scale: Float, low: Words, high: Words) {
  let (a, b) = (load16(x), load16(x + 16))
  // As integers, magnitudes order like the numbers, and NaN above infinity.
  let scale = Float(bitPattern: largestMagnitude(bitPattern(a), bitPattern(b))) / 127
  let inverse = 1 / scale
  let factor = inverse < .infinity ? inverse : 0
  return (scale, roundedWords(a * factor), roundedWords(b * factor))
}

@inline(__always)
private func largestMagnitude(_ a: Words, _ b: Words) -> UInt32 {
  let magnitude: UInt32 = 0x7fff_ffff
  let c = larger(a & magnitude, b & magnitude)
  var largest = c[0]
  for i in 1..<16 { largest = max(largest, c[i]) }
  return largest
}

/// The larger of integers below 2^31.
@inline(__always)
private func larger(_ a: Words, _ b: Words) -> Words {
  let mask = signMask(a &- b)
  return (b & mask) | (a & ~mask)
}

/// Rounds half away from zero into -127...127; NaN becomes 0.
@inline(__always)
private func roundedWords(_ value: SIMD16<Float>) -> Words {
  let bits = bitPattern(value)
  let sign = signMask(bits)
  let limit = SIMD16<Float>(repeating: 127)
  var magnitude = unsafeBitCast(bits & 0x7fff_ffff, to: SIMD16<Float>.self)
  magnitude = choose(lessMask(limit, magnitude), limit, magnitude)
  magnitude = unsafeBitCast(bitPattern(magnitude) & ~nanMask(value), to: SIMD16<Float>.self)
  // Adding 2^23 rounds to even and leaves the integer in the low bits. Exact halves that went down
  // are then raised: only for them is the remainder not less than 0.5.
  let shifted = magnitude + 8_388_608
  let remainder = magnitude - (shifted - 8_388_608)
  let raise = signMask(bitPattern(remainder - 0.5)) &+ 1
  let rounded = (bitPattern(shifted) & 0xff) &+ raise
  return (rounded ^ sign) &- sign
}

/// The low bytes of sixteen words.
@inline(__always)
func storeBytes(_ words: Words, _ out: UnsafeMutableRawPointer) {
  let bytes = words & 0xff
  let pairs = bytes.evenHalf | (bytes.oddHalf &<< 8)
  let quads = pairs.evenHalf | (pairs.oddHalf &<< 16)
  out.storeBytes(of: quads, as: SIMD4<UInt32>.self)
}

@inline(__always)
private func wordSum(_ words: Words) -> Int32 {
  let a = words.lowHalf &+ words.highHalf
  let b = a.lowHalf &+ a.highHalf
  return Int32(truncatingIfNeeded: b[0] &+ b[1] &+ b[2] &+ b[3])
}
