#if KERNELS_AVX2 || KERNELS_AVX512
  import _Builtin_intrinsics.intel
#endif

/// Nearest half-precision numbers, ties to even; NaN stays NaN, too large becomes infinite.
public func floatToHalf(
  _ x: UnsafePointer<Float>, _ out: UnsafeMutablePointer<UInt16>, _ count: Int
) {
  for i in 0..<count { out[i] = halfBits(x[i]) }
}

/// Exact widening.
public func halfToFloat(
  _ x: UnsafePointer<UInt16>, _ out: UnsafeMutablePointer<Float>, _ count: Int
) {
  let whole = count & ~15
  var i = 0
  while i < whole {
    store16(loadHalf16(x + i), out + i)
    i += 16
  }
  while i < count {
    out[i] = half(x[i])
    i += 1
  }
}

/// Sixteen half-precision numbers.
@inline(__always)
func loadHalf16(_ pointer: UnsafeRawPointer) -> SIMD16<Float> {
  #if KERNELS_AVX512
    return _mm512_cvtph_ps(pointer.loadUnaligned(as: __m256i.self))
  #elseif KERNELS_AVX2
    return SIMD16(
      lowHalf: _mm256_cvtph_ps(pointer.loadUnaligned(as: __m128i.self)),
      highHalf: _mm256_cvtph_ps(pointer.loadUnaligned(fromByteOffset: 16, as: __m128i.self)))
  #else
    return half(loadWidened(pointer))
  #endif
}

/// Sixteen BF16 numbers.
@inline(__always)
func loadBrainFloat16(_ pointer: UnsafeRawPointer) -> SIMD16<Float> {
  unsafeBitCast(loadWidened(pointer) &<< 16, to: SIMD16<Float>.self)
}

/// Sixteen 16-bit words, zero-extended.
@inline(__always)
private func loadWidened(_ pointer: UnsafeRawPointer) -> Words {
  #if KERNELS_AVX512
    let words = _mm512_cvtepu16_epi32(pointer.loadUnaligned(as: __m256i.self))
    return unsafeBitCast(words, to: Words.self)
  #else
    // Initialisers that widen vectors become calls; words taken apart in pairs do not.
    let pairs = pointer.loadUnaligned(as: SIMD8<UInt32>.self)
    var words = Words(repeating: 0)
    words.evenHalf = pairs & 0xffff
    words.oddHalf = pairs &>> 16
    return words
  #endif
}

// Elements of a cached key or value, half precision or float.

@inline(__always)
func loadCached(_ row: UnsafeRawPointer, _ index: Int, _ isHalf: Bool) -> SIMD16<Float> {
  isHalf
    ? loadHalf16(row + index * 2)
    : row.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
}

@inline(__always)
func loadCachedElement(_ row: UnsafeRawPointer, _ index: Int, _ isHalf: Bool) -> Float {
  isHalf
    ? loadHalf(row, index * 2) : row.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
}

@inline(__always)
func loadCachedPartial(
  _ row: UnsafeRawPointer, _ index: Int, _ count: Int, _ isHalf: Bool
) -> SIMD16<Float> {
  var lanes = SIMD16<Float>(repeating: 0)
  for l in 0..<count { lanes[l] = loadCachedElement(row, index + l, isHalf) }
  return lanes
}
