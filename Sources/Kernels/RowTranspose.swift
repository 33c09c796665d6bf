// Sixteen rows side by side: lane r of every vector belongs to row r.

#if KERNELS_AVX2 || KERNELS_AVX512
  import _Builtin_intrinsics.intel
#endif

typealias Words = SIMD16<UInt32>
typealias FourWords = (Words, Words, Words, Words)

/// The four 32-bit words at `rows` of each of sixteen rows `stride` bytes apart.
@inline(__always)
func loadWords(_ rows: UnsafeRawPointer, _ stride: Int) -> FourWords {
  #if KERNELS_AVX512
    let a = loadQuads(rows, stride * 4)
    let b = loadQuads(rows + stride, stride * 4)
    let c = loadQuads(rows + stride * 2, stride * 4)
    let d = loadQuads(rows + stride * 3, stride * 4)
    let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d))
    let (ef, gh) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d))
    return (
      unsafeBitCast(_mm512_unpacklo_epi64(ab, cd), to: Words.self),
      unsafeBitCast(_mm512_unpackhi_epi64(ab, cd), to: Words.self),
      unsafeBitCast(_mm512_unpacklo_epi64(ef, gh), to: Words.self),
      unsafeBitCast(_mm512_unpackhi_epi64(ef, gh), to: Words.self)
    )
  #else
    let low = loadWords8(rows, stride)
    let high = loadWords8(rows + stride * 8, stride)
    return (
      Words(lowHalf: low.0, highHalf: high.0), Words(lowHalf: low.1, highHalf: high.1),
      Words(lowHalf: low.2, highHalf: high.2), Words(lowHalf: low.3, highHalf: high.3)
    )
  #endif
}

#if KERNELS_AVX512
  /// 16 bytes of each of four rows.
  @inline(__always)
  private func loadQuads(_ rows: UnsafeRawPointer, _ stride: Int) -> __m512i {
    let ab = SIMD8(
      lowHalf: rows.loadUnaligned(as: SIMD4<UInt32>.self),
      highHalf: rows.loadUnaligned(fromByteOffset: stride, as: SIMD4<UInt32>.self))
    let cd = SIMD8(
      lowHalf: rows.loadUnaligned(fromByteOffset: stride * 2, as: SIMD4<UInt32>.self),
      highHalf: rows.loadUnaligned(fromByteOffset: stride * 3, as: SIMD4<UInt32>.self))
    return unsafeBitCast(SIMD16(lowHalf: ab, highHalf: cd), to: __m512i.self)
  }
#elseif KERNELS_AVX2
  typealias Words8 = SIMD8<UInt32>

  /// The four 32-bit words at `rows` of each of eight rows.
  @inline(__always)
  func loadWords8(
    _ rows: UnsafeRawPointer, _ stride: Int
  ) -> (Words8, Words8, Words8, Words8) {
    let a = loadPair(rows, stride * 4)
    let b = loadPair(rows + stride, stride * 4)
    let c = loadPair(rows + stride * 2, stride * 4)
    let d = loadPair(rows + stride * 3, stride * 4)
    let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d))
    let (ef, gh) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d))
    return (
      unsafeBitCast(_mm256_unpacklo_epi64(ab, cd), to: Words8.self),
      unsafeBitCast(_mm256_unpackhi_epi64(ab, cd), to: Words8.self),
      unsafeBitCast(_mm256_unpacklo_epi64(ef, gh), to: Words8.self),
      unsafeBitCast(_mm256_unpackhi_epi64(ef, gh), to: Words8.self)
    )
  }

  /// 16 bytes of each of two rows.
  @inline(__always)
  private func loadPair(_ rows: UnsafeRawPointer, _ stride: Int) -> __m256i {
    let pair = SIMD8(
      lowHalf: rows.loadUnaligned(as: SIMD4<UInt32>.self),
      highHalf: rows.loadUnaligned(fromByteOffset: stride, as: SIMD4<UInt32>.self))
    return unsafeBitCast(pair, to: __m256i.self)
  }
#else
  private typealias Words4 = SIMD4<UInt32>
  private typealias Words8 = SIMD8<UInt32>

  @inline(__always)
  private func loadWords8(
    _ rows: UnsafeRawPointer, _ stride: Int
  ) -> (Words8, Words8, Words8, Words8) {
    let low = loadWords4(rows, stride)
    let high = loadWords4(rows + stride * 4, stride)
    return (
      Words8(lowHalf: low.0, highHalf: high.0), Words8(lowHalf: low.1, highHalf: high.1),
      Words8(lowHalf: low.2, highHalf: high.2), Words8(lowHalf: low.3, highHalf: high.3)
    )
  }

  @inline(__always)
  private func loadWords4(
    _ rows: UnsafeRawPointer, _ stride: Int
  ) -> (Words4, Words4, Words4, Words4) {
    let a = rows.loadUnaligned(as: Words4.self)
    let b = rows.loadUnaligned(fromByteOffset: stride, as: Words4.self)
    let c = rows.loadUnaligned(fromByteOffset: stride * 2, as: Words4.self)
    let d = rows.loadUnaligned(fromByteOffset: stride * 3, as: Words4.self)
    return (
      Words4(a[0], b[0], c[0], d[0]), Words4(a[1], b[1], c[1], d[1]),
      Words4(a[2], b[2], c[2], d[2]), Words4(a[3], b[3], c[3], d[3])
    )
  }
#endif

/// The half-precision number at `rows` of each row.
@inline(__always)
func loadHalves(_ rows: UnsafeRawPointer, _ stride: Int) -> SIMD16<Float> {
  #if KERNELS_AVX2 || KERNELS_AVX512
    let low = _mm256_cvtph_ps(loadHalfBits(rows, stride))
    let high = _mm256_cvtph_ps(loadHalfBits(rows + stride * 8, stride))
    return SIMD16(
      lowHalf: low,
      highHalf: high)
  #else
    return half(
      Words(
        lowHalf: loadHalfBits(rows, stride), highHalf: loadHalfBits(rows + stride * 8, stride)))
  #endif
}

#if KERNELS_AVX2 || KERNELS_AVX512
  /// Combined in integer registers: inserting words into vectors would take the ports that the
  /// shuffles need.
  @inline(__always)
  func loadHalfBits(_ rows: UnsafeRawPointer, _ stride: Int) -> __m128i {
    let bits = SIMD2(fourHalves(rows, stride), fourHalves(rows + stride * 4, stride))
    return unsafeBitCast(bits, to: __m128i.self)
  }

  @inline(__always)
  private func fourHalves(_ rows: UnsafeRawPointer, _ stride: Int) -> UInt64 {
    let a = UInt64(rows.loadUnaligned(as: UInt16.self))
    let b = UInt64(rows.loadUnaligned(fromByteOffset: stride, as: UInt16.self))
    let c = UInt64(rows.loadUnaligned(fromByteOffset: stride * 2, as: UInt16.self))
    let d = UInt64(rows.loadUnaligned(fromByteOffset: stride * 3, as: UInt16.self))
    return (a | (b &<< 16)) | ((c | (d &<< 16)) &<< 32)
  }
#else
  @inline(__always)
  private func loadHalfBits(_ rows: UnsafeRawPointer, _ stride: Int) -> SIMD8<UInt32> {
    SIMD8<UInt32>(
      UInt32(rows.loadUnaligned(as: UInt16.self)),
      UInt32(rows.loadUnaligned(fromByteOffset: stride, as: UInt16.self)),
      UInt32(rows.loadUnaligned(fromByteOffset: stride * 2, as: UInt16.self)),
      UInt32(rows.loadUnaligned(fromByteOffset: stride * 3, as: UInt16.self)),
      UInt32(rows.loadUnaligned(fromByteOffset: stride * 4, as: UInt16.self)),
      UInt32(rows.loadUnaligned(fromByteOffset: stride * 5, as: UInt16.self)),
      UInt32(rows.loadUnaligned(fromByteOffset: stride * 6, as: UInt16.self)),
      UInt32(rows.loadUnaligned(fromByteOffset: stride * 7, as: UInt16.self)))
  }
#endif

/// The 32-bit word at `rows` of each row.
@inline(__always)
func loadWord(_ rows: UnsafeRawPointer, _ stride: Int) -> Words {
  Words(
    lowHalf: loadWord8(rows, stride), highHalf: loadWord8(rows + stride * 8, stride))
}

@inline(__always)
private func loadWord8(_ rows: UnsafeRawPointer, _ stride: Int) -> SIMD8<UInt32> {
  SIMD8<UInt32>(
    rows.loadUnaligned(as: UInt32.self),
    rows.loadUnaligned(fromByteOffset: stride, as: UInt32.self),
    rows.loadUnaligned(fromByteOffset: stride * 2, as: UInt32.self),
    rows.loadUnaligned(fromByteOffset: stride * 3, as: UInt32.self),
    rows.loadUnaligned(fromByteOffset: stride * 4, as: UInt32.self),
    rows.loadUnaligned(fromByteOffset: stride * 5, as: UInt32.self),
    rows.loadUnaligned(fromByteOffset: stride * 6, as: UInt32.self),
    rows.loadUnaligned(fromByteOffset: stride * 7, as: UInt32.self))
}
