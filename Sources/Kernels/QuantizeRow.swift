/// Quantises a row of `count` floats (a multiple of the block size) to Q8_0, Q4_0, F16 or BF16.
/// Other types write nothing.
public func quantizeRow(
  _ type: UInt32, _ x: UnsafePointer<Float>, _ count: Int, _ out: UnsafeMutableRawPointer
) {
  switch type {
  case TypeID.q8_0:
    for block in 0..<(count / 32) { quantizeQ8_0(x + block * 32, out + block * 34) }
  case TypeID.q4_0:
    for block in 0..<(count / 32) { quantizeQ4_0(x + block * 32, out + block * 18) }
  case TypeID.f16:
    for i in 0..<count {
      out.storeBytes(of: halfBits(x[i]), toByteOffset: i * 2, as: UInt16.self)
    }
  case TypeID.bf16:
    for i in 0..<count {
      out.storeBytes(of: brainFloatBits(x[i]), toByteOffset: i * 2, as: UInt16.self)
    }
  default: break
  }
}

/// d = max|x| / 127; q = x / d rounded half away from zero.
@inline(__always)
private func quantizeQ8_0(_ x: UnsafePointer<Float>, _ out: UnsafeMutableRawPointer) {
  let (scale, low, high) = quantizeBlock(x)
  out.storeBytes(of: halfBits(scale), as: UInt16.self)
  storeBytes(low, out + 2)
  storeBytes(high, out + 18)
}

/// d = (the value of largest magnitude) / -8; q = x / d + 8.5, truncated, at most 15.
@inline(__always)
private func quantizeQ4_0(_ x: UnsafePointer<Float>, _ out: UnsafeMutableRawPointer) {
  var extreme: Float = 0
  for i in 0..<32 where x[i].magnitude > extreme.magnitude { extreme = x[i] }
  let scale = extreme / -8
  let inverse = 1 / scale
  let factor = inverse.magnitude < .infinity ? inverse : 0
  out.storeBytes(of: halfBits(scale), as: UInt16.self)
  for i in 0..<16 {
    let low = nibble(x[i] * factor)
    let high = nibble(x[i + 16] * factor)
    out.storeBytes(of: low | high &<< 4, toByteOffset: 2 + i, as: UInt8.self)
  }
}

@inline(__always)
private func nibble(_ value: Float) -> UInt8 {
  let shifted = value + 8.5
  if !(shifted >= 0) { return 0 }
  return shifted < 15 ? UInt8(shifted) : 15
}

/// Nearest BF16, ties to even; NaN stays NaN.
@inline(__always)
private func brainFloatBits(_ value: Float) -> UInt16 {
  let bits = value.bitPattern
  if bits & 0x7fff_ffff > 0x7f80_0000 { return UInt16(truncatingIfNeeded: bits &>> 16) | 0x40 }
  let rounded = bits &+ 0x7fff &+ ((bits &>> 16) & 1)
  return UInt16(truncatingIfNeeded: rounded &>> 16)
}
