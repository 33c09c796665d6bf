// exp for many numbers at once, written out: faster than a library call per number, and the same to
// the last bit on every platform, so that a seed draws the same tokens everywhere.

/// exp(x) for x <= 0, to about 1e-7 of the value; 0 below -87, where it would leave the normal range
/// of `Float`.
@inline(__always)
func exponential(_ x: SIMD16<Float>) -> SIMD16<Float> {
  let isTiny = x .< -87
  let x = x.replacing(with: 0, where: isTiny)
  // x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^23 leaves the integer n in the low bits.
  let shifted = x * 1.442_695_04 + 12_582_912
  let n = shifted - 12_582_912
  let r = x - n * 0.693_359_375 + n * 2.121_944_4e-4
  var power = r * (1.0 / 5040) + (1.0 / 720)
  power = power * r + (1.0 / 120)
  power = power * r + (1.0 / 24)
  power = power * r + (1.0 / 6)
  power = power * r + 0.5
  power = power * r + 1
  power = power * r + 1
  let exponent = unsafeBitCast(shifted, to: SIMD16<Int32>.self) &- 0x4B40_0000 &+ 127
  let scale = unsafeBitCast(exponent &<< 23, to: SIMD16<Float>.self)
  return (power * scale).replacing(with: 0, where: isTiny)
}

/// Sets `weights` to exp(logit - top) for logits of at most `top`; returns their sum.
func exponentiate(
  _ logits: UnsafeBufferPointer<Float>, top: Float,
  into weights: UnsafeMutableBufferPointer<Float>
) -> Double {
  let count = min(logits.count, weights.count)
  guard count > 0 else { return 0 }
  let source = UnsafeRawBufferPointer(logits)
  let target = UnsafeMutableRawBufferPointer(weights)
  var total = 0.0
  var index = 0
  while index + 16 <= count {
    // Sums of a thousand at most stay exact enough in single precision.
    var sum = SIMD16<Float>.zero
    let end = min(index + 1024, count)
    while index + 16 <= end {
      let x = source.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
      let weight = exponential(x - top)
      target.storeBytes(of: weight, toByteOffset: index * 4, as: SIMD16<Float>.self)
      sum += weight
      index += 16
    }
    total += Double(sum.sum())
  }
  if index < count {
    var x = SIMD16<Float>(repeating: -.infinity)
    for lane in 0..<count - index { x[lane] = logits[index + lane] }
    let weight = exponential(x - top)
    for lane in 0..<count - index { weights[index + lane] = weight[lane] }
    total += Double(weight.sum())
  }
  return total
}
