// Loads, stores and lane arithmetic shared by the kernels. Only spellings that were seen to compile
// to plain vector instructions are used: no widening or narrowing vector initialisers (they become
// calls), no fused multiply-add (bits must agree between instruction sets).

#if KERNELS_AVX2 || KERNELS_AVX512
  import _Builtin_intrinsics.intel
#endif

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
  let a = larger(value.lowHalf, value.highHalf)
  let b = larger(a.lowHalf, a.highHalf)
  let c = b[1] > b[0] ? b[1] : b[0]
  let d = b[3] > b[2] ? b[3] : b[2]
  return d > c ? d : c
}

@inline(__always)
func larger(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<Float> {
  a.replacing(with: b, where: b .> a)
}

@inline(__always)
func larger(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> {
  a.replacing(with: b, where: b .> a)
}

@inline(__always)
func larger(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
  a.replacing(with: b, where: b .> a)
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
