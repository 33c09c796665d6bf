// Loads, stores and lane arithmetic shared by the kernels. Only spellings that were seen to compile
// to plain vector instructions are used: no widening or narrowing vector initialisers (they become
// calls), and fused multiply-add only through `fused`, since where it is missing it is a call per
// lane.

/// c + a * b, rounded once where the instruction set has that; products of quantised weights owe
/// their equal bits on all such machines to it.
@inline(__always)
func fused(_ a: SIMD16<Float>, _ b: SIMD16<Float>, _ c: SIMD16<Float>) -> SIMD16<Float> {
  #if KERNELS_AVX2 || KERNELS_AVX512 || arch(arm64)
    return c.addingProduct(a, b)
  #else
    return c + a * b
  #endif
}

/// The same for eight lanes.
@inline(__always)
func fused(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>) -> SIMD8<Float> {
  #if KERNELS_AVX2 || KERNELS_AVX512 || arch(arm64)
    return c.addingProduct(a, b)
  #else
    return c + a * b
  #endif
}

@inline(__always)
func load16(_ pointer: UnsafePointer<Float>) -> SIMD16<Float> {
  UnsafeRawPointer(pointer).loadUnaligned(as: SIMD16<Float>.self)
}

@inline(__always)
func store16(_ value: SIMD16<Float>, _ pointer: UnsafeMutablePointer<Float>) {
  UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD16<Float>.self)
}

/// The first `count` lanes from memory, the others zero.
@inline(__always)
func loadPartial(_ pointer: UnsafePointer<Float>, _ count: Int) -> SIMD16<Float> {
  var lanes = SIMD16<Float>(repeating: 0)
  for i in 0..<count { lanes[i] = pointer[i] }
  return lanes
}

@inline(__always)
func storePartial(_ value: SIMD16<Float>, _ pointer: UnsafeMutablePointer<Float>, _ count: Int) {
  for i in 0..<count { pointer[i] = value[i] }
}

/// Sum of the lanes, halving: the order is fixed.
@inline(__always)
func laneSum(_ value: SIMD16<Float>) -> Float {
  let a = value.lowHalf + value.highHalf
  let b = a.lowHalf + a.highHalf
  let c = b.lowHalf + b.highHalf
  return c[0] + c[1]
}

@inline(__always)
func laneMaximum(_ value: SIMD16<Float>) -> Float {
  var largest = value[0]
  for i in 1..<16 where value[i] > largest { largest = value[i] }
  return largest
}

// Comparisons of vectors and `replacing(with:where:)` go lane by lane, so selection is done on bits:
// the sign of a difference, shifted down, is a mask.

/// `yes` where the mask is all ones, `no` where it is zero.
@inline(__always)
func choose(
  _ mask: SIMD16<UInt32>, _ yes: SIMD16<Float>, _ no: SIMD16<Float>
) -> SIMD16<Float> {
  unsafeBitCast((bitPattern(yes) & mask) | (bitPattern(no) & ~mask), to: SIMD16<Float>.self)
}

/// All ones where the top bit is set.
@inline(__always)
func signMask(_ value: SIMD16<UInt32>) -> SIMD16<UInt32> {
  unsafeBitCast(unsafeBitCast(value, to: SIMD16<Int32>.self) &>> 31, to: SIMD16<UInt32>.self)
}

/// All ones where a < b; NaN gives either.
@inline(__always)
func lessMask(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<UInt32> {
  signMask(bitPattern(a - b))
}

/// All ones where the value is NaN.
@inline(__always)
func nanMask(_ value: SIMD16<Float>) -> SIMD16<UInt32> {
  signMask(0x7f80_0000 &- (bitPattern(value) & 0x7fff_ffff))
}

@inline(__always)
func bitPattern(_ value: SIMD16<Float>) -> SIMD16<UInt32> {
  unsafeBitCast(value, to: SIMD16<UInt32>.self)
}

/// Integers of magnitude up to 2^22 as floats; exact.
@inline(__always)
func exactFloat(_ value: SIMD16<UInt32>) -> SIMD16<Float> {
  unsafeBitCast(value &+ 0x4b40_0000, to: SIMD16<Float>.self) - 12_582_912
}

@inline(__always)
func larger(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<Float> {
  choose(lessMask(a, b), b, a)
}

/// One half-precision number; exact.
@inline(__always)
func half(_ bits: UInt16) -> Float {
  let magnitude = UInt32(bits & 0x7fff)
  // Rebias by a multiplication, which also normalises subnormal halves.
  var value = (Float(bitPattern: magnitude &<< 13) * 0x1p112).bitPattern
  if magnitude >= 0x7c00 { value |= 0x7f80_0000 }
  return Float(bitPattern: value | (UInt32(bits & 0x8000) &<< 16))
}

/// Half-precision numbers in the low 16 bits of each lane (the high bits are zero); exact.
@inline(__always)
func half(_ bits: SIMD16<UInt32>) -> SIMD16<Float> {
  let magnitude = bits & 0x7fff
  let value = unsafeBitCast(magnitude &<< 13, to: SIMD16<Float>.self) * 0x1p112
  let special = signMask(0x7bff &- magnitude) & 0x7f80_0000
  return unsafeBitCast(
    bitPattern(value) | special | ((bits & 0x8000) &<< 16), to: SIMD16<Float>.self)
}

@inline(__always)
func loadHalf(_ pointer: UnsafeRawPointer, _ offset: Int) -> Float {
  half(pointer.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
}

/// Nearest half-precision number, ties to even; NaN stays NaN, too large becomes infinite.
@inline(__always)
func halfBits(_ value: Float) -> UInt16 {
  let bits = value.bitPattern
  let magnitude = bits & 0x7fff_ffff
  let sign = UInt16(truncatingIfNeeded: (bits &>> 16) & 0x8000)
  if magnitude >= 0x4780_0000 {
    return sign | (magnitude > 0x7f80_0000 ? 0x7e00 : 0x7c00)
  }
  if magnitude < 0x3880_0000 {
    // Adding 0.5 leaves the subnormal's digits, rounded, in the low bits.
    let rounded = (Float(bitPattern: magnitude) + 0.5).bitPattern &- 0x3f00_0000
    return sign | UInt16(truncatingIfNeeded: rounded)
  }
  let odd = (magnitude &>> 13) & 1
  let rounded = (magnitude &+ 0xc800_0fff &+ odd) &>> 13
  return sign | UInt16(truncatingIfNeeded: rounded)
}
