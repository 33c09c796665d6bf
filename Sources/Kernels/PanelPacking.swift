// A panel is sixteen rows' weights unpacked side by side, the operand of the dot kernels. Each
// sub-block of 16 or 32 weights is stored as
//   weights  [size / 4][16 rows] words of four unpacked bytes; [size][16 rows] floats in the
//            portable kernels
//   scales   [16 rows] floats
//   minima   [16 rows] floats, affine types only

/// Packs `count` weights (whole blocks of the type) of sixteen rows that start `stride` bytes apart.
///
/// Sixteen rows at once are more streams than the hardware follows, so as many bytes from `ahead`
/// on, one contiguous range, are asked for meanwhile, a few with every block: more requests at once
/// would hold up the reads.
func packPanel(
  _ type: UInt32, _ rows: UnsafeRawPointer, _ stride: Int, _ count: Int,
  _ out: UnsafeMutableRawPointer, ahead: UnsafeRawPointer
) {
  switch type {
  case TypeID.q4_0: packQ4_0(rows, stride, count, out, ahead)
  case TypeID.q4_1: packQ4_1(rows, stride, count, out, ahead)
  case TypeID.q5_0: packQ5_0(rows, stride, count, out, ahead)
  case TypeID.q5_1: packQ5_1(rows, stride, count, out, ahead)
  case TypeID.q8_0: packQ8_0(rows, stride, count, out, ahead)
  case TypeID.q2_K: packQ2K(rows, stride, count, out, ahead)
  case TypeID.q3_K: packQ3K(rows, stride, count, out, ahead)
  case TypeID.q4_K: packQ4K(rows, stride, count, out, ahead)
  case TypeID.q5_K: packQ5K(rows, stride, count, out, ahead)
  case TypeID.q6_K: packQ6K(rows, stride, count, out, ahead)
  default: break
  }
}

/// Stores group `index`, four weights of each row.
@inline(__always)
func putWeights(_ out: UnsafeMutableRawPointer, _ index: Int, _ value: Words) {
  #if KERNELS_AVX2 || KERNELS_AVX512
    out.storeBytes(of: value, toByteOffset: index * 64, as: Words.self)
  #else
    for i in 0..<4 {
      out.storeBytes(
        of: byteFloat(value, UInt32(truncatingIfNeeded: i)), toByteOffset: index * 256 + i * 64,
        as: SIMD16<Float>.self)
    }
  #endif
}

/// Stores the scales of a sub-block.
@inline(__always)
func putScales(_ out: UnsafeMutableRawPointer, _ size: Int, _ value: SIMD16<Float>) {
  out.storeBytes(
    of: value, toByteOffset: size * 16 * bytesPerPackedWeight, as: SIMD16<Float>.self)
}

/// Stores the minima of a sub-block.
@inline(__always)
func putMinima(_ out: UnsafeMutableRawPointer, _ size: Int, _ value: SIMD16<Float>) {
  putScales(out + 64, size, value)
}

@inline(__always)
func lowNibbles(_ words: Words) -> Words { words & 0x0f0f_0f0f }

@inline(__always)
func highNibbles(_ words: Words) -> Words { (words &>> 4) & 0x0f0f_0f0f }

/// The two low bits of each byte, moved above the nibble.
@inline(__always)
func topBits(_ words: Words) -> Words { (words & 0x0303_0303) &<< 4 }

/// Byte `index` of each word as a float.
@inline(__always)
func byteFloat(_ words: Words, _ index: UInt32) -> SIMD16<Float> {
  exactFloat((words &>> (8 * index)) & 0xff)
}

/// Distance in a panel from weight 0 to weight 16 of a sub-block of 32.
var halfBlock: Int {
  @inline(__always) get { 256 * bytesPerPackedWeight }
}
