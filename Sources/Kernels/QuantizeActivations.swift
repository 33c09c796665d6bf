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
  let d = larger(c.lowHalf, c.highHalf)
  return max(max(max(d[0], d[1]), max(d[2], d[3])), max(max(d[4], d[5]), max(d[6], d[7])))
}

// Signed comparisons, which every instruction set has; the values are below 2^31.

@inline(__always)
private func larger(_ a: Words, _ b: Words) -> Words {
  let mask = unsafeBitCast(
    unsafeBitCast(b, to: SIMD16<Int32>.self) .> unsafeBitCast(a, to: SIMD16<Int32>.self),
    to: Words.self)
  return (b & mask) | (a & ~mask)
}

@inline(__always)
private func larger(_ a: SIMD8<UInt32>, _ b: SIMD8<UInt32>) -> SIMD8<UInt32> {
  let mask = unsafeBitCast(
    unsafeBitCast(b, to: SIMD8<Int32>.self) .> unsafeBitCast(a, to: SIMD8<Int32>.self),
    to: SIMD8<UInt32>.self)
  return (b & mask) | (a & ~mask)
}

/// Rounds half away from zero into -127...127; NaN becomes 0.
@inline(__always)
private func roundedWords(_ value: SIMD16<Float>) -> Words {
  let bits = bitPattern(value)
  let sign = unsafeBitCast(unsafeBitCast(bits, to: SIMD16<Int32>.self) &>> 31, to: Words.self)
  let limit = SIMD16<Float>(repeating: 127)
  var magnitude = unsafeBitCast(bits & 0x7fff_ffff, to: SIMD16<Float>.self)
  magnitude = choose(magnitude .> limit, limit, magnitude)
  let isNumber = unsafeBitCast(magnitude .== magnitude, to: Words.self)
  magnitude = unsafeBitCast(bitPattern(magnitude) & isNumber, to: SIMD16<Float>.self)
  // Adding 2^23 rounds to even and leaves the integer in the low bits; exact halves that went down
  // are then raised. A set mask is -1.
  let shifted = magnitude + 8_388_608
  let isHalf = unsafeBitCast(magnitude - (shifted - 8_388_608) .== 0.5, to: Words.self)
  let rounded = (bitPattern(shifted) & 0xff) &- isHalf
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
