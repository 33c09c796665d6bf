#if KERNELS_AVX2
  import _Builtin_intrinsics.intel

  var rowsTogether: Int { 8 }
  typealias RowFloats = SIMD8<Float>

  // As in the panel kernels, products are summed in pairs to 16 bits, as many as cannot overflow.

  @inline(never)
  func dotQ4_0(_ dot: RowDot) -> RowFloats {
    var sum = RowFloats(repeating: 0)
    var group = 0
    while group < dot.k / 32 {
      let count = min(8, dot.k / 32 - group)
      dot.stageHalves(group, count, 18)
      for b in 0..<count {
        let index = group + b
        prefetch(dot.ahead + index * 144, 144)
        let w = vectors(loadWords8(dot.rows + index * 18 + 2, dot.stride))
        let a = dot.q + index * 32
        var pairs = _mm256_add_epi16(addNibbles(zero, low(w), a), addNibbles(zero, high(w), a + 16))
        pairs = widened(pairs)
        let total = _mm256_add_epi32(broadcastWord(dot.operands + index * 4), pairs)
        let scaled = stagedHalves(dot, b) * _mm256_cvtepi32_ps(total)
        sum = fused(scaled, broadcastFloat8(dot.scales + index * 4), sum)
      }
      group += count
    }
    return sum
  }

  @inline(never)
  func dotQ8_0(_ dot: RowDot) -> RowFloats {
    var sum = RowFloats(repeating: 0)
    var group = 0
    while group < dot.k / 32 {
      let count = min(8, dot.k / 32 - group)
      dot.stageHalves(group, count, 34)
      for b in 0..<count {
        let index = group + b
        prefetch(dot.ahead + index * 272, 272)
        let a = dot.q + index * 32
        var total = zero
        for half in 0..<2 {
          let w = vectors(loadWords8(dot.rows + index * 34 + 2 + half * 16, dot.stride))
          total = addSigned(total, w.0, a + half * 16)
          total = addSigned(total, w.1, a + half * 16 + 4)
          total = addSigned(total, w.2, a + half * 16 + 8)
          total = addSigned(total, w.3, a + half * 16 + 12)
        }
        let scaled = stagedHalves(dot, b) * _mm256_cvtepi32_ps(total)
        sum = fused(scaled, broadcastFloat8(dot.scales + index * 4), sum)
      }
      group += count
    }
    return sum
  }

  @inline(never)
  func dotQ4K(_ dot: RowDot) -> RowFloats {
    var sum = RowFloats(repeating: 0)
    for index in 0..<(dot.k / 256) {
      let block = dot.rows + index * 144
      let ahead = dot.ahead + index * 1152
      let head = loadWords8(block, dot.stride)
      let d = halves(head.0)
      let dmin = -halves(head.0 &>> 16)
      let scales = (
        head.1 & 0x3f3f_3f3f, (head.3 & 0x0f0f_0f0f) | ((head.1 &>> 2) & 0x3030_3030)
      )
      let minima = (
        head.2 & 0x3f3f_3f3f, ((head.3 &>> 4) & 0x0f0f_0f0f) | ((head.2 &>> 2) & 0x3030_3030)
      )
      for pair in 0..<4 {
        prefetch(ahead + pair * 288, 288)
        let q = block + 16 + pair * 32
        let a = dot.q + index * 256 + pair * 64
        let first = vectors(loadWords8(q, dot.stride))
        let second = vectors(loadWords8(q + 16, dot.stride))
        let lower = addNibbles(addNibbles(zero, low(first), a), low(second), a + 16)
        let upper = addNibbles(addNibbles(zero, high(first), a + 32), high(second), a + 48)
        let s = pair < 2 ? scales.0 : scales.1
        let m = pair < 2 ? minima.0 : minima.1
        let byte = UInt32(truncatingIfNeeded: pair % 2 * 2)
        let at = (index * 8 + pair * 2) * 4
        sum = fused(
          d * byteFloat(s, byte) * _mm256_cvtepi32_ps(widened(lower)),
          broadcastFloat8(dot.scales + at), sum)
        sum = fused(dmin * byteFloat(m, byte), broadcastFloat8(dot.operands + at), sum)
        sum = fused(
          d * byteFloat(s, byte + 1) * _mm256_cvtepi32_ps(widened(upper)),
          broadcastFloat8(dot.scales + at + 4), sum)
        sum = fused(dmin * byteFloat(m, byte + 1), broadcastFloat8(dot.operands + at + 4), sum)
      }
    }
    return sum
  }

  @inline(never)
  func dotQ6K(_ dot: RowDot) -> RowFloats {
    var sum = RowFloats(repeating: 0)
    for index in 0..<(dot.k / 256) {
      let block = dot.rows + index * 210
      let scales = loadWords8(block + 192, dot.stride)
      let d = strideHalves(block + 208, dot.stride)
      for n in 0..<2 {
        let ahead = dot.ahead + index * 1680 + n * 840
        let s = dot.operands + (index * 16 + n * 8) * 4
        let a = dot.q + index * 256 + n * 128
        prefetch(ahead, 448)
        let first = sixBitSums(block + n * 64, block + 128 + n * 32, dot.stride, s, a)
        prefetch(ahead + 448, 392)
        let second = sixBitSums(
          block + n * 64 + 16, block + 144 + n * 32, dot.stride, s + 4, a + 16)
        let (s01, s23) = n == 0 ? (scales.0, scales.1) : (scales.2, scales.3)
        let at = dot.scales + (index * 8 + n * 4) * 4
        sum = addSixBit(sum, first.0, second.0, s01, 0, d, at)
        sum = addSixBit(sum, first.1, second.1, s01, 2, d, at + 4)
        sum = addSixBit(sum, first.2, second.2, s23, 0, d, at + 8)
        sum = addSixBit(sum, first.3, second.3, s23, 2, d, at + 12)
      }
    }
    return sum
  }

  /// Sums of the four sub-blocks of 16 that share the two high bits at `top`.
  @inline(__always)
  private func sixBitSums(
    _ low: UnsafeRawPointer, _ top: UnsafeRawPointer, _ stride: Int, _ operands: UnsafeRawPointer,
    _ a: UnsafeRawPointer
  ) -> (__m256i, __m256i, __m256i, __m256i) {
    let (x, y, z) = (
      loadWords8(low, stride), loadWords8(low + 32, stride), loadWords8(top, stride)
    )
    return (
      sixBitSum(
        (
          sixBits(x.0, z.0, 0, 0), sixBits(x.1, z.1, 0, 0), sixBits(x.2, z.2, 0, 0),
          sixBits(x.3, z.3, 0, 0)
        ), operands, a),
      sixBitSum(
        (
          sixBits(y.0, z.0, 0, 2), sixBits(y.1, z.1, 0, 2), sixBits(y.2, z.2, 0, 2),
          sixBits(y.3, z.3, 0, 2)
        ), operands + 8, a + 32),
      sixBitSum(
        (
          sixBits(x.0, z.0, 4, 4), sixBits(x.1, z.1, 4, 4), sixBits(x.2, z.2, 4, 4),
          sixBits(x.3, z.3, 4, 4)
        ), operands + 16, a + 64),
      sixBitSum(
        (
          sixBits(y.0, z.0, 4, 6), sixBits(y.1, z.1, 4, 6), sixBits(y.2, z.2, 4, 6),
          sixBits(y.3, z.3, 4, 6)
        ), operands + 24, a + 96)
    )
  }

  /// Nibbles above `shift`, with the two bits above `topShift` on top.
  @inline(__always)
  private func sixBits(
    _ words: Words8, _ top: Words8, _ shift: UInt32, _ topShift: UInt32
  ) -> __m256i {
    let nibbles = (words &>> shift) & 0x0f0f_0f0f
    let bits = topShift == 0 ? top &<< 4 : topShift == 2 ? top &<< 2 : top &>> (topShift &- 4)
    return unsafeBitCast(nibbles | (bits & 0x3030_3030), to: __m256i.self)
  }

  @inline(__always)
  private func sixBitSum(
    _ w: (__m256i, __m256i, __m256i, __m256i), _ operand: UnsafeRawPointer, _ a: UnsafeRawPointer
  ) -> __m256i {
    let first = _mm256_add_epi16(
      _mm256_maddubs_epi16(w.0, broadcastWord(a)), _mm256_maddubs_epi16(w.1, broadcastWord(a + 4)))
    let second = _mm256_add_epi16(
      _mm256_maddubs_epi16(w.2, broadcastWord(a + 8)),
      _mm256_maddubs_epi16(w.3, broadcastWord(a + 12)))
    return _mm256_add_epi32(
      broadcastWord(operand), _mm256_add_epi32(widened(first), widened(second)))
  }

  /// Adds a block of 32: two sums, each with its signed scale.
  @inline(__always)
  private func addSixBit(
    _ sum: RowFloats, _ first: __m256i, _ second: __m256i, _ scales: Words8, _ byte: UInt32,
    _ d: RowFloats, _ factor: UnsafeRawPointer
  ) -> RowFloats {
    var scaled = d * signedByteFloat(scales, byte) * _mm256_cvtepi32_ps(first)
    scaled = fused(d * signedByteFloat(scales, byte + 1), _mm256_cvtepi32_ps(second), scaled)
    return fused(scaled, broadcastFloat8(factor), sum)
  }

  private var zero: __m256i {
    @inline(__always) get { _mm256_setzero_si256() }
  }

  private typealias FourVectors = (__m256i, __m256i, __m256i, __m256i)

  @inline(__always)
  private func vectors(_ words: (Words8, Words8, Words8, Words8)) -> FourVectors {
    (
      unsafeBitCast(words.0, to: __m256i.self), unsafeBitCast(words.1, to: __m256i.self),
      unsafeBitCast(words.2, to: __m256i.self), unsafeBitCast(words.3, to: __m256i.self)
    )
  }

  @inline(__always)
  private func low(_ w: FourVectors) -> FourVectors {
    let mask = _mm256_set1_epi32(0x0f0f_0f0f)
    return (
      _mm256_and_si256(w.0, mask), _mm256_and_si256(w.1, mask), _mm256_and_si256(w.2, mask),
      _mm256_and_si256(w.3, mask)
    )
  }

  @inline(__always)
  private func high(_ w: FourVectors) -> FourVectors {
    low(
      (
        _mm256_srli_epi32(w.0, 4), _mm256_srli_epi32(w.1, 4), _mm256_srli_epi32(w.2, 4),
        _mm256_srli_epi32(w.3, 4)
      ))
  }

  /// Adds products of sixteen weights below 16, in pairs; twice that still fits 16 bits.
  @inline(__always)
  private func addNibbles(_ pairs: __m256i, _ w: FourVectors, _ a: UnsafeRawPointer) -> __m256i {
    let first = _mm256_add_epi16(
      _mm256_maddubs_epi16(w.0, broadcastWord(a)), _mm256_maddubs_epi16(w.1, broadcastWord(a + 4)))
    let second = _mm256_add_epi16(
      _mm256_maddubs_epi16(w.2, broadcastWord(a + 8)),
      _mm256_maddubs_epi16(w.3, broadcastWord(a + 12)))
    return _mm256_add_epi16(pairs, _mm256_add_epi16(first, second))
  }

  /// Adds products of signed bytes: magnitudes times the activations with the sign moved over.
  @inline(__always)
  private func addSigned(_ sum: __m256i, _ w: __m256i, _ a: UnsafeRawPointer) -> __m256i {
    let pairs = _mm256_maddubs_epi16(
      _mm256_abs_epi8(w), _mm256_sign_epi8(broadcastWord(a), w))
    return _mm256_add_epi32(sum, widened(pairs))
  }

  /// Sums of neighbouring 16-bit sums.
  @inline(__always)
  private func widened(_ pairs: __m256i) -> __m256i {
    _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
  }

  @inline(__always)
  private func stagedHalves(_ dot: RowDot, _ index: Int) -> RowFloats {
    _mm256_cvtph_ps(dot.staging.loadUnaligned(fromByteOffset: index * 16, as: __m128i.self))
  }

  /// The numbers in the low 16 bits of each lane.
  @inline(__always)
  private func halves(_ words: Words8) -> RowFloats {
    let bits = unsafeBitCast(words & 0xffff, to: __m256i.self)
    let packed = unsafeBitCast(_mm256_packus_epi32(bits, bits), to: SIMD4<UInt64>.self)
    return _mm256_cvtph_ps(unsafeBitCast(SIMD2(packed[0], packed[2]), to: __m128i.self))
  }

  /// The half-precision number at `rows` of each row.
  @inline(__always)
  private func strideHalves(_ rows: UnsafeRawPointer, _ stride: Int) -> RowFloats {
    _mm256_cvtph_ps(loadHalfBits(rows, stride))
  }

  @inline(__always)
  private func byteFloat(_ words: Words8, _ index: UInt32) -> RowFloats {
    _mm256_cvtepi32_ps(unsafeBitCast((words &>> (8 &* index)) & 0xff, to: __m256i.self))
  }

  @inline(__always)
  private func signedByteFloat(_ words: Words8, _ index: UInt32) -> RowFloats {
    let top = unsafeBitCast(words &<< (24 &- 8 &* index), to: SIMD8<Int32>.self)
    return _mm256_cvtepi32_ps(unsafeBitCast(top &>> 24, to: __m256i.self))
  }

  @inline(__always)
  func broadcastWord(_ pointer: UnsafeRawPointer) -> __m256i {
    _mm256_set1_epi32(pointer.loadUnaligned(as: Int32.self))
  }
#endif
