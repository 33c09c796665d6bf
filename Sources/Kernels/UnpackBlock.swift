// Plain unpacking of one row's blocks, written from the block layouts: the reference for everything
// else in this module.

/// Unpacks weights `first..<first+32` of a row into bytes, with the scale and the minimum of both
/// halves of 16. Types that are not affine have minimum 0.
@inline(__always)
func unpack32(
  _ type: UInt32, _ row: UnsafeRawPointer, _ first: Int, _ u: UnsafeMutablePointer<UInt8>
) -> (scale0: Float, scale1: Float, min0: Float, min1: Float) {
  switch type {
  case TypeID.q4_0:
    let block = row + first / 32 * 18
    unpackNibbles(block + 2, u)
    let d = loadHalf(block, 0)
    return (d, d, 0, 0)
  case TypeID.q4_1:
    let block = row + first / 32 * 20
    unpackNibbles(block + 4, u)
    let (d, m) = (loadHalf(block, 0), loadHalf(block, 2))
    return (d, d, m, m)
  case TypeID.q5_0:
    let block = row + first / 32 * 22
    unpackNibbles(block + 6, u)
    addFifthBits(block.loadUnaligned(fromByteOffset: 2, as: UInt32.self), u)
    let d = loadHalf(block, 0)
    return (d, d, 0, 0)
  case TypeID.q5_1:
    let block = row + first / 32 * 24
    unpackNibbles(block + 8, u)
    addFifthBits(block.loadUnaligned(fromByteOffset: 4, as: UInt32.self), u)
    let (d, m) = (loadHalf(block, 0), loadHalf(block, 2))
    return (d, d, m, m)
  case TypeID.q8_0:
    let block = row + first / 32 * 34
    for i in 0..<32 { u[i] = byte(block, 2 + i) ^ 0x80 }
    let d = loadHalf(block, 0)
    return (d, d, 0, 0)
  case TypeID.q2_K:
    return unpackQ2K(row + first / 256 * 84, first % 256 / 32, u)
  case TypeID.q3_K:
    return unpackQ3K(row + first / 256 * 110, first % 256 / 32, u)
  case TypeID.q4_K:
    return unpackQ4K(row + first / 256 * 144, first % 256 / 32, u)
  case TypeID.q5_K:
    return unpackQ5K(row + first / 256 * 176, first % 256 / 32, u)
  case TypeID.q6_K:
    return unpackQ6K(row + first / 256 * 210, first % 256 / 32, u)
  default:
    for i in 0..<32 { u[i] = 0 }
    return (0, 0, 0, 0)
  }
}

@inline(__always)
func byte(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt8 {
  pointer.load(fromByteOffset: offset, as: UInt8.self)
}

/// 16 bytes: low nibbles first, then high nibbles.
@inline(__always)
func unpackNibbles(_ source: UnsafeRawPointer, _ u: UnsafeMutablePointer<UInt8>) {
  for i in 0..<16 {
    u[i] = byte(source, i) & 15
    u[i + 16] = byte(source, i) &>> 4
  }
}

@inline(__always)
func addFifthBits(_ bits: UInt32, _ u: UnsafeMutablePointer<UInt8>) {
  for i in 0..<32 {
    u[i] |= UInt8(truncatingIfNeeded: (bits &>> UInt32(truncatingIfNeeded: i)) & 1) &<< 4
  }
}

/// Six-bit scale and minimum of sub-block `index` (0..<8) of Q4_K and Q5_K.
@inline(__always)
func sixBitScale(_ scales: UnsafeRawPointer, _ index: Int) -> (scale: UInt8, minimum: UInt8) {
  if index < 4 { return (byte(scales, index) & 63, byte(scales, index + 4) & 63) }
  let low = byte(scales, index + 4)
  return (
    (low & 15) | (byte(scales, index - 4) &>> 6) &<< 4,
    (low &>> 4) | (byte(scales, index) &>> 6) &<< 4
  )
}

// The K types: blocks of 256; `index` is the sub-block of 32.

@inline(__always)
func unpackQ2K(
  _ block: UnsafeRawPointer, _ index: Int, _ u: UnsafeMutablePointer<UInt8>
) -> (scale0: Float, scale1: Float, min0: Float, min1: Float) {
  let q = block + 16 + index / 4 * 32
  let shift = UInt8(truncatingIfNeeded: index % 4 * 2)
  for l in 0..<32 { u[l] = (byte(q, l) &>> shift) & 3 }
  let (d, dmin) = (loadHalf(block, 80), loadHalf(block, 82))
  let (s0, s1) = (byte(block, 2 * index), byte(block, 2 * index + 1))
  return (
    d * Float(s0 & 15), d * Float(s1 & 15), -(dmin * Float(s0 &>> 4)), -(dmin * Float(s1 &>> 4))
  )
}

@inline(__always)
func unpackQ3K(
  _ block: UnsafeRawPointer, _ index: Int, _ u: UnsafeMutablePointer<UInt8>
) -> (scale0: Float, scale1: Float, min0: Float, min1: Float) {
  let q = block + 32 + index / 4 * 32
  let shift = UInt8(truncatingIfNeeded: index % 4 * 2)
  let bit = UInt8(truncatingIfNeeded: index)
  for l in 0..<32 {
    u[l] = ((byte(q, l) &>> shift) & 3) | ((byte(block, l) &>> bit) & 1) &<< 2
  }
  let d = loadHalf(block, 108)
  return (
    d * Float(q3KScale(block + 96, 2 * index)), d * Float(q3KScale(block + 96, 2 * index + 1)),
    0, 0
  )
}

/// Signed six-bit scale of sub-block `k` (0..<16).
@inline(__always)
func q3KScale(_ scales: UnsafeRawPointer, _ k: Int) -> Int32 {
  let low = (byte(scales, k % 8) &>> UInt8(truncatingIfNeeded: k / 8 * 4)) & 15
  let high = (byte(scales, 8 + k % 4) &>> UInt8(truncatingIfNeeded: k / 4 * 2)) & 3
  return Int32(low | high &<< 4) - 32
}

@inline(__always)
func unpackQ4K(
  _ block: UnsafeRawPointer, _ index: Int, _ u: UnsafeMutablePointer<UInt8>
) -> (scale0: Float, scale1: Float, min0: Float, min1: Float) {
  let q = block + 16 + index / 2 * 32
  let shift = UInt8(truncatingIfNeeded: index % 2 * 4)
  for l in 0..<32 { u[l] = (byte(q, l) &>> shift) & 15 }
  let packed = sixBitScale(block + 4, index)
  let scale = loadHalf(block, 0) * Float(packed.scale)
  let minimum = -(loadHalf(block, 2) * Float(packed.minimum))
  return (scale, scale, minimum, minimum)
}

@inline(__always)
func unpackQ5K(
  _ block: UnsafeRawPointer, _ index: Int, _ u: UnsafeMutablePointer<UInt8>
) -> (scale0: Float, scale1: Float, min0: Float, min1: Float) {
  let q = block + 48 + index / 2 * 32
  let shift = UInt8(truncatingIfNeeded: index % 2 * 4)
  let bit = UInt8(truncatingIfNeeded: index)
  for l in 0..<32 {
    u[l] = ((byte(q, l) &>> shift) & 15) | ((byte(block, 16 + l) &>> bit) & 1) &<< 4
  }
  let packed = sixBitScale(block + 4, index)
  let scale = loadHalf(block, 0) * Float(packed.scale)
  let minimum = -(loadHalf(block, 2) * Float(packed.minimum))
  return (scale, scale, minimum, minimum)
}

@inline(__always)
func unpackQ6K(
  _ block: UnsafeRawPointer, _ index: Int, _ u: UnsafeMutablePointer<UInt8>
) -> (scale0: Float, scale1: Float, min0: Float, min1: Float) {
  let low = block + index / 4 * 64 + index % 2 * 32
  let high = block + 128 + index / 4 * 32
  let lowShift = UInt8(truncatingIfNeeded: index % 4 / 2 * 4)
  let highShift = UInt8(truncatingIfNeeded: index % 4 * 2)
  for l in 0..<32 {
    u[l] = ((byte(low, l) &>> lowShift) & 15) | ((byte(high, l) &>> highShift) & 3) &<< 4
  }
  let d = loadHalf(block, 208)
  let s0 = Int8(bitPattern: byte(block, 192 + 2 * index))
  let s1 = Int8(bitPattern: byte(block, 193 + 2 * index))
  return (d * Float(s0), d * Float(s1), 0, 0)
}
