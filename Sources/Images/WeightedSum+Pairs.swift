#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// As `weightedLanes`, by what every such processor has: it multiplies two taps at once and adds them
  /// up, and packing cuts off at 255.
  @inline(__always)
  func weightedSixteen(
    _ first: UnsafeRawPointer, stride: Int, _ taps: ResamplingTaps, _ out: UnsafeMutableRawPointer
  ) {
    let zero = _mm_setzero_si128()
    var sums = SixteenSums(_mm_set1_epi32(1 &<< (taps.bits &- 1)))
    var source = first
    let (count, pairs) = (taps.weights.count, taps.weights.count & ~1)
    for tap in Swift.stride(from: 0, to: pairs, by: 2) {
      sums.add(
        source.loadUnaligned(as: __m128i.self), taps.weights[tap],
        source.loadUnaligned(fromByteOffset: stride, as: __m128i.self), taps.weights[tap &+ 1])
      source += 2 &* stride
    }
    if pairs < count {
      sums.add(source.loadUnaligned(as: __m128i.self), taps.weights[pairs], zero, 0)
    }
    out.storeBytes(of: sums.rounded(taps.bits), as: __m128i.self)
  }

  /// Four sums in each vector, in order.
  private struct SixteenSums {
    private var sum0, sum1, sum2, sum3: __m128i

    @inline(__always)
    init(_ start: __m128i) { (sum0, sum1, sum2, sum3) = (start, start, start, start) }

    @inline(__always)
    mutating func add(_ samples: __m128i, _ weight: Int16, _ next: __m128i, _ nextWeight: Int16) {
      let zero = _mm_setzero_si128()
      let weights = _mm_set1_epi32(Int32(weight) | Int32(nextWeight) &<< 16)
      let low = _mm_unpacklo_epi8(samples, next)
      let high = _mm_unpackhi_epi8(samples, next)
      sum0 = _mm_add_epi32(sum0, _mm_madd_epi16(_mm_unpacklo_epi8(low, zero), weights))
      sum1 = _mm_add_epi32(sum1, _mm_madd_epi16(_mm_unpackhi_epi8(low, zero), weights))
      sum2 = _mm_add_epi32(sum2, _mm_madd_epi16(_mm_unpacklo_epi8(high, zero), weights))
      sum3 = _mm_add_epi32(sum3, _mm_madd_epi16(_mm_unpackhi_epi8(high, zero), weights))
    }

    @inline(__always)
    func rounded(_ bits: Int32) -> __m128i {
      let bits = _mm_cvtsi32_si128(bits)
      let low = _mm_packs_epi32(_mm_sra_epi32(sum0, bits), _mm_sra_epi32(sum1, bits))
      let high = _mm_packs_epi32(_mm_sra_epi32(sum2, bits), _mm_sra_epi32(sum3, bits))
      return _mm_packus_epi16(low, high)
    }
  }
#else
  /// As `weightedLanes`.
  @inline(__always)
  func weightedSixteen(
    _ first: UnsafeRawPointer, stride: Int, _ taps: ResamplingTaps, _ out: UnsafeMutableRawPointer
  ) { weightedLanes(first, stride: stride, taps, out) }
#endif
