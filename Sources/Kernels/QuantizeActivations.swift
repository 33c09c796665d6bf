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
    scales[block] = quantizeBlock(x + block * 32, q + block * 32)
    for part in 0..<2 {
      var sum: Int32 = 0
      let first = q + block * 32 + part * 16
      for i in 0..<16 { sum &+= Int32(first[i]) }
      sums[block * 2 + part] = sum
    }
  }
}

/// Quantises 32 values to signed bytes and returns their scale.
@inline(__always)
func quantizeBlock(_ x: UnsafePointer<Float>, _ q: UnsafeMutablePointer<Int8>) -> Float {
  // As integers, magnitudes order like the numbers, and NaN above infinity.
  var largest: UInt32 = 0
  for i in 0..<32 { largest = max(largest, x[i].bitPattern & 0x7fff_ffff) }
  let scale = Float(bitPattern: largest) / 127
  let inverse = 1 / scale
  let factor = inverse < .infinity ? inverse : 0
  for i in 0..<32 { q[i] = roundedByte(x[i] * factor) }
  return scale
}

/// Rounds half away from zero into -127...127; NaN becomes 0.
@inline(__always)
func roundedByte(_ value: Float) -> Int8 {
  var magnitude = value.magnitude
  magnitude = magnitude > 127 ? 127 : (magnitude <= 127 ? magnitude : 0)
  // Adding 2^23 rounds to even and leaves the integer in the low bits; exact halves that went down
  // are then raised.
  let shifted = magnitude + 8_388_608
  let raise: UInt32 = magnitude - (shifted - 8_388_608) == 0.5 ? 1 : 0
  let rounded = Int8(truncatingIfNeeded: (shifted.bitPattern & 0xff) &+ raise)
  return value < 0 ? 0 &- rounded : rounded
}
