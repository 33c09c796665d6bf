#if KERNELS_AVX512
  import _Builtin_intrinsics.intel

  var rowsTogether: Int { 16 }
  typealias RowFloats = SIMD16<Float>

  @inline(never)
  func dotQ4_0(_ dot: RowDot) -> RowFloats {
    var sum = RowFloats(repeating: 0)
    var group = 0
    while group < dot.k / 32 {
      let count = min(8, dot.k / 32 - group)
      dot.stageHalves(group, count, 18)
      for b in 0..<count {
        let index = group + b
        prefetch(dot.ahead + index * 288, 288)
        let w = vectors(loadWords(dot.rows + index * 18 + 2, dot.stride))
        let a = dot.q + index * 32
        var low = broadcastWord(dot.operands + index * 4)
        var high = _mm512_setzero_si512()
        low = addLow(low, w.0, a)
        high = addHigh(high, w.0, a + 16)
        low = addLow(low, w.1, a + 4)
        high = addHigh(high, w.1, a + 20)
        low = addLow(low, w.2, a + 8)
        high = addHigh(high, w.2, a + 24)
        low = addLow(low, w.3, a + 12)
        high = addHigh(high, w.3, a + 28)
        let total = _mm512_add_epi32(low, _mm512_srai_epi32(high, 4))
        let scaled = stagedHalves(dot, b) * _mm512_cvtepi32_ps(total)
        sum = fused(scaled, broadcastFloat(dot.scales + index * 4), sum)
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
        prefetch(dot.ahead + index * 544, 544)
        let block = dot.rows + index * 34
        let a = dot.q + index * 32
        var total = broadcastWord(dot.operands + index * 4)
        for half in 0..<2 {
          let w = vectors(loadWords(block + 2 + half * 16, dot.stride))
          total = addFlipped(total, w.0, a + half * 16)
          total = addFlipped(total, w.1, a + half * 16 + 4)
          total = addFlipped(total, w.2, a + half * 16 + 8)
          total = addFlipped(total, w.3, a + half * 16 + 12)
        }
        let scaled = stagedHalves(dot, b) * _mm512_cvtepi32_ps(total)
        sum = fused(scaled, broadcastFloat(dot.scales + index * 4), sum)
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
      let ahead = dot.ahead + index * 2304
      let head = loadWords(block, dot.stride)
      let d = halves(head.0)
      let dmin = -halves(head.0 &>> 16)
      let scales = (head.1 & 0x3f3f_3f3f, lowNibbles(head.3) | topBits(head.1 &>> 6))
      let minima = (head.2 & 0x3f3f_3f3f, highNibbles(head.3) | topBits(head.2 &>> 6))
      for pair in 0..<4 {
        prefetch(ahead + pair * 576, 576)
        let a = dot.q + index * 256 + pair * 64
        var low = _mm512_setzero_si512()
        var high = low
        for half in 0..<2 {
          let w = vectors(loadWords(block + 16 + pair * 32 + half * 16, dot.stride))
          let at = a + half * 16
          low = addLow(low, w.0, at)
          high = addHigh(high, w.0, at + 32)
          low = addLow(low, w.1, at + 4)
          high = addHigh(high, w.1, at + 36)
          low = addLow(low, w.2, at + 8)
          high = addHigh(high, w.2, at + 40)
          low = addLow(low, w.3, at + 12)
          high = addHigh(high, w.3, at + 44)
        }
        high = _mm512_srai_epi32(high, 4)
        let s = pair < 2 ? scales.0 : scales.1
        let m = pair < 2 ? minima.0 : minima.1
        let byte = pair % 2 * 2
        let at = (index * 8 + pair * 2) * 4
        sum = fused(
          d * byteFloat(s, byte) * _mm512_cvtepi32_ps(low), broadcastFloat(dot.scales + at), sum)
        sum = fused(dmin * byteFloat(m, byte), broadcastFloat(dot.operands + at), sum)
        sum = fused(
          d * byteFloat(s, byte + 1) * _mm512_cvtepi32_ps(high),
          broadcastFloat(dot.scales + at + 4), sum)
        sum = fused(dmin * byteFloat(m, byte + 1), broadcastFloat(dot.operands + at + 4), sum)
      }
    }
    return sum
  }

  @inline(never)
  func dotQ6K(_ dot: RowDot) -> RowFloats {
    var sum = RowFloats(repeating: 0)
    for index in 0..<(dot.k / 256) {
      let block = dot.rows + index * 210
      let scales = loadWords(block + 192, dot.stride)
      let d = loadHalves(block + 208, dot.stride)
      for n in 0..<2 {
        let ahead = dot.ahead + index * 3360 + n * 1680
        let s = dot.operands + (index * 16 + n * 8) * 4
        let a = dot.q + index * 256 + n * 128
        prefetch(ahead, 832)
        let first = sixBitSums(block + n * 64, block + 128 + n * 32, dot.stride, s, a)
        prefetch(ahead + 832, 848)
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
  ) -> (__m512i, __m512i, __m512i, __m512i) {
    let (x, y, z) = (loadWords(low, stride), loadWords(low + 32, stride), loadWords(top, stride))
    var sums = (
      broadcastWord(operands), broadcastWord(operands + 8), broadcastWord(operands + 16),
      broadcastWord(operands + 24)
    )
    addSixBits(&sums, x.0, y.0, z.0, a)
    addSixBits(&sums, x.1, y.1, z.1, a + 4)
    addSixBits(&sums, x.2, y.2, z.2, a + 8)
    addSixBits(&sums, x.3, y.3, z.3, a + 12)
    return sums
  }

  @inline(__always)
  private func addSixBits(
    _ sums: inout (__m512i, __m512i, __m512i, __m512i), _ x: Words, _ y: Words, _ top: Words,
    _ a: UnsafeRawPointer
  ) {
    sums.0 = addWords(sums.0, lowNibbles(x) | topBits(top), a)
    sums.1 = addWords(sums.1, lowNibbles(y) | topBits(top &>> 2), a + 32)
    sums.2 = addWords(sums.2, highNibbles(x) | topBits(top &>> 4), a + 64)
    sums.3 = addWords(sums.3, highNibbles(y) | topBits(top &>> 6), a + 96)
  }

  /// Adds a block of 32: two sums, each with its signed scale.
  @inline(__always)
  private func addSixBit(
    _ sum: SIMD16<Float>, _ first: __m512i, _ second: __m512i, _ scales: Words, _ byte: UInt32,
    _ d: SIMD16<Float>, _ factor: UnsafeRawPointer
  ) -> SIMD16<Float> {
    var scaled = d * signedByteFloat(scales, byte) * _mm512_cvtepi32_ps(first)
    scaled = fused(d * signedByteFloat(scales, byte + 1), _mm512_cvtepi32_ps(second), scaled)
    return fused(scaled, broadcastFloat(factor), sum)
  }

  @inline(__always)
  private func stagedHalves(_ dot: RowDot, _ index: Int) -> SIMD16<Float> {
    _mm512_cvtph_ps(dot.staging.loadUnaligned(fromByteOffset: index * 32, as: __m256i.self))
  }

  /// The numbers in the low 16 bits of each lane.
  @inline(__always)
  private func halves(_ words: Words) -> SIMD16<Float> {
    _mm512_cvtph_ps(_mm512_cvtepi32_epi16(unsafeBitCast(words, to: __m512i.self)))
  }

  /// Byte `index` of each lane: one product and one conversion.
  @inline(__always)
  private func byteFloat(_ words: Words, _ index: Int) -> SIMD16<Float> {
    let one = Words(repeating: 1 &<< UInt32(truncatingIfNeeded: 8 * index))
    return _mm512_cvtepi32_ps(
      _mm512_dpbusd_epi32(
        _mm512_setzero_si512(), unsafeBitCast(words, to: __m512i.self),
        unsafeBitCast(one, to: __m512i.self)))
  }

  @inline(__always)
  private func signedByteFloat(_ words: Words, _ index: UInt32) -> SIMD16<Float> {
    let top = unsafeBitCast(words &<< (24 &- 8 &* index), to: SIMD16<Int32>.self)
    return _mm512_cvtepi32_ps(unsafeBitCast(top &>> 24, to: __m512i.self))
  }

  @inline(__always)
  private func vectors(_ words: FourWords) -> (__m512i, __m512i, __m512i, __m512i) {
    (
      unsafeBitCast(words.0, to: __m512i.self), unsafeBitCast(words.1, to: __m512i.self),
      unsafeBitCast(words.2, to: __m512i.self), unsafeBitCast(words.3, to: __m512i.self)
    )
  }

  @inline(__always)
  private func addWords(_ sum: __m512i, _ words: Words, _ a: UnsafeRawPointer) -> __m512i {
    _mm512_dpbusd_epi32(sum, unsafeBitCast(words, to: __m512i.self), broadcastWord(a))
  }

  /// Adds products of the low nibbles.
  @inline(__always)
  private func addLow(_ sum: __m512i, _ words: __m512i, _ a: UnsafeRawPointer) -> __m512i {
    _mm512_dpbusd_epi32(
      sum, _mm512_and_si512(words, _mm512_set1_epi32(0x0f0f_0f0f)), broadcastWord(a))
  }

  /// Adds sixteen times the products of the high nibbles, which saves shifting them down.
  @inline(__always)
  private func addHigh(_ sum: __m512i, _ words: __m512i, _ a: UnsafeRawPointer) -> __m512i {
    _mm512_dpbusd_epi32(
      sum, _mm512_and_si512(words, _mm512_set1_epi32(-0x0f0f_0f10)), broadcastWord(a))
  }

  /// Adds products of signed bytes, made unsigned by an offset of 128.
  @inline(__always)
  private func addFlipped(_ sum: __m512i, _ words: __m512i, _ a: UnsafeRawPointer) -> __m512i {
    _mm512_dpbusd_epi32(
      sum, _mm512_xor_si512(words, _mm512_set1_epi32(Int32(bitPattern: 0x8080_8080))),
      broadcastWord(a))
  }
#endif
