/// e to the power of each lane: within 2 units in the last place for results that are normal numbers;
/// smaller ones become 0, larger ones about 2^127. NaN stays NaN.
@inline(__always)
func exponential(_ x: SIMD16<Float>) -> SIMD16<Float> {
  let low = SIMD16<Float>(repeating: -87.336_54)
  let high = SIMD16<Float>(repeating: 88.376_26)
  let tooLow = lessMask(x, low)
  var v = choose(tooLow, low, x)
  v = choose(lessMask(high, v), high, v)
  // x = n ln 2 + r; n appears in the low bits of `shifted`. ln 2 is split so that n * 0.693359375
  // is exact.
  let shifted = v * 1.442_695_04 + 12_582_912
  let n = shifted - 12_582_912
  let r = (v - n * 0.693_359_375) - n * -2.121_944_40e-4
  // Minimax polynomial of degree 5 for (e^r - 1 - r) / r^2 on [-ln 2 / 2, ln 2 / 2].
  var p = r * 1.987_569_15e-4 + 1.398_199_95e-3
  p = p * r + 8.333_451_9e-3
  p = p * r + 4.166_579_6e-2
  p = p * r + 1.666_666_55e-1
  p = p * r + 5.000_000_1e-1
  p = p * (r * r) + r + 1
  let bits = unsafeBitCast(shifted, to: SIMD16<UInt32>.self)
  let power = unsafeBitCast((bits &<< 23) &+ 0x3f80_0000, to: SIMD16<Float>.self)
  let result = bitPattern(p * power) & ~tooLow
  // The selections above may have replaced NaN by a bound.
  return unsafeBitCast(result | (nanMask(x) & 0x7fc0_0000), to: SIMD16<Float>.self)
}
