#if KERNELS_AVX2
  import _Builtin_intrinsics.intel

  /// Tokens multiplied together.
  var tileTokens: Int { 4 }
  var panelsTogether: Int { 1 }
  var bytesPerPackedWeight: Int { 1 }
  var bytesPerActivation: Int { 1 }

  // Products of unsigned and signed bytes are summed in pairs to 16 bits; `chain` of those pair sums
  // are added up before they are widened, as many as cannot overflow: 8 * 2 * 15 * 127,
  // 4 * 2 * 31 * 127 and 2 * 2 * 63 * 127 are below 2^15. Weights of 8 bits stay signed
  // (`signed`): their magnitudes times the activations with the sign moved over.

  func multiplyTile(_ type: UInt32, _ tile: Tile, _ tokens: Int) {
    switch type {
    case TypeID.q4_0: multiplyQ4(tile, tokens)
    case TypeID.q4_1, TypeID.q4_K: multiplyAffineQ4(tile, tokens)
    case TypeID.q5_0: multiplyQ5(tile, tokens)
    case TypeID.q5_1, TypeID.q5_K: multiplyAffineQ5(tile, tokens)
    case TypeID.q8_0: multiplyQ8(tile, tokens)
    case TypeID.q2_K: multiplyQ2K(tile, tokens)
    case TypeID.q3_K: multiplyQ3K(tile, tokens)
    default: multiplyQ6K(tile, tokens)
    }
  }

  @inline(never)
  private func multiplyQ4(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(32, false, 8, tile, tokens)
  }

  @inline(never)
  private func multiplyAffineQ4(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(32, true, 8, tile, tokens)
  }

  @inline(never)
  private func multiplyQ5(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(32, false, 4, tile, tokens)
  }

  @inline(never)
  private func multiplyAffineQ5(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(32, true, 4, tile, tokens)
  }

  @inline(never)
  private func multiplyQ8(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(32, false, 1, tile, tokens)
  }

  @inline(never)
  private func multiplyQ2K(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(16, true, 4, tile, tokens)
  }

  @inline(never)
  private func multiplyQ3K(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(16, false, 4, tile, tokens)
  }

  @inline(never)
  private func multiplyQ6K(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(16, false, 2, tile, tokens)
  }

  /// Inlined into each of the above, so that the first three parameters are constants. Eight rows at
  /// a time, so that everything stays in registers.
  @inline(__always)
  private func multiplyTokens(
    _ size: Int, _ affine: Bool, _ chain: Int, _ tile: Tile, _ tokens: Int
  ) {
    if tokens == 4 {
      multiply(4, size, affine, chain, tile, 0)
      multiply(4, size, affine, chain, tile, 1)
    } else {
      for token in 0..<tokens {
        multiply(1, size, affine, chain, tile.advanced(token, size), 0)
        multiply(1, size, affine, chain, tile.advanced(token, size), 1)
      }
    }
  }

  /// Rows 0..<8 or 8..<16 of the panel; `tokens` is 1 or 4, a constant.
  @inline(__always)
  private func multiply(
    _ tokens: Int, _ size: Int, _ affine: Bool, _ chain: Int, _ tile: Tile, _ rows: Int
  ) {
    let (k, dStep, sStep) = (tile.k, tile.k / 32 * 4, tile.k / size * 4)
    var results = FourFloats(tile.results + rows * 8, tokens)
    var weights = tile.panel + rows * 32
    var (a, d, s) = (tile.q, tile.scales, tile.operands)
    for _ in 0..<(tile.count / 32) {
      var scaled = results
      for half in 0..<(32 / size) {
        let w = weights + half * packedBytes(size, affine)
        // Signed weights have nothing to subtract.
        let isPlain = !affine && chain > 1
        var sums = isPlain ? FourSums(s + half * 4, sStep, tokens) : FourSums()
        var group = 0
        while group < size / 4 {
          var pairs = FourSums()
          for g in group..<(group + chain) {
            let words = FourSums(a + half * 16 + g * 4, k, tokens)
            pairs.addPairs(w + g * 64, words, chain, tokens)
          }
          sums.widen(pairs, tokens)
          group += chain
        }
        let scales = w + size * 16
        if half == 0 {
          scaled = FourFloats(scales, sums, tokens)
        } else {
          scaled.add(scales, sums, tokens)
        }
      }
      results.add(scaled, d, dStep, tokens)
      if affine {
        for half in 0..<(32 / size) {
          let minima = weights + half * packedBytes(size, affine) + size * 16 + 64
          results.add(minima, s + half * 4, sStep, tokens)
        }
      }
      weights += 32 / size * packedBytes(size, affine)
      a += 32
      d += 4
      s += 32 / size * 4
    }
    results.store(tile.results + rows * 8, tokens)
  }

  /// Integers of eight rows, or of one for all of them, and up to four tokens.
  private struct FourSums {
    var v0, v1, v2, v3: __m256i

    @inline(__always)
    init() {
      v0 = _mm256_setzero_si256()
      (v1, v2, v3) = (v0, v0, v0)
    }

    /// The tokens' words, `step` bytes apart.
    @inline(__always)
    init(_ words: UnsafeRawPointer, _ step: Int, _ tokens: Int) {
      v0 = broadcastWord(words)
      (v1, v2, v3) = (v0, v0, v0)
      guard tokens == 4 else { return }
      v1 = broadcastWord(words + step)
      v2 = broadcastWord(words + step * 2)
      v3 = broadcastWord(words + step * 3)
    }

    /// Adds four products per row, summed in pairs, to 16-bit sums.
    @inline(__always)
    mutating func addPairs(
      _ weights: UnsafeRawPointer, _ activations: FourSums, _ chain: Int, _ tokens: Int
    ) {
      let w = weights.loadUnaligned(as: __m256i.self)
      let magnitude = chain == 1 ? _mm256_abs_epi8(w) : w
      v0 = _mm256_add_epi16(v0, pairSums(magnitude, w, activations.v0, chain))
      guard tokens == 4 else { return }
      v1 = _mm256_add_epi16(v1, pairSums(magnitude, w, activations.v1, chain))
      v2 = _mm256_add_epi16(v2, pairSums(magnitude, w, activations.v2, chain))
      v3 = _mm256_add_epi16(v3, pairSums(magnitude, w, activations.v3, chain))
    }

    /// Adds 16-bit sums to these of 32 bits.
    @inline(__always)
    mutating func widen(_ pairs: FourSums, _ tokens: Int) {
      let one = _mm256_set1_epi16(1)
      v0 = _mm256_add_epi32(v0, _mm256_madd_epi16(pairs.v0, one))
      guard tokens == 4 else { return }
      v1 = _mm256_add_epi32(v1, _mm256_madd_epi16(pairs.v1, one))
      v2 = _mm256_add_epi32(v2, _mm256_madd_epi16(pairs.v2, one))
      v3 = _mm256_add_epi32(v3, _mm256_madd_epi16(pairs.v3, one))
    }
  }

  @inline(__always)
  private func pairSums(
    _ magnitude: __m256i, _ weights: __m256i, _ activations: __m256i, _ chain: Int
  ) -> __m256i {
    chain == 1
      ? _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(activations, weights))
      : _mm256_maddubs_epi16(weights, activations)
  }

  /// Floats of eight rows and up to four tokens.
  private struct FourFloats {
    var v0, v1, v2, v3: SIMD8<Float>

    @inline(__always)
    init(_ values: UnsafePointer<Float>, _ tokens: Int) {
      v0 = load8(values)
      (v1, v2, v3) = (v0, v0, v0)
      guard tokens == 4 else { return }
      v1 = load8(values + 16)
      v2 = load8(values + 32)
      v3 = load8(values + 48)
    }

    /// The rows' scales times sums.
    @inline(__always)
    init(_ scales: UnsafeRawPointer, _ sums: FourSums, _ tokens: Int) {
      let scale = scales.loadUnaligned(as: SIMD8<Float>.self)
      v0 = scale * _mm256_cvtepi32_ps(sums.v0)
      (v1, v2, v3) = (v0, v0, v0)
      guard tokens == 4 else { return }
      v1 = scale * _mm256_cvtepi32_ps(sums.v1)
      v2 = scale * _mm256_cvtepi32_ps(sums.v2)
      v3 = scale * _mm256_cvtepi32_ps(sums.v3)
    }

    /// Adds the rows' scales times sums.
    @inline(__always)
    mutating func add(_ scales: UnsafeRawPointer, _ sums: FourSums, _ tokens: Int) {
      let scale = scales.loadUnaligned(as: SIMD8<Float>.self)
      v0 = fused(scale, _mm256_cvtepi32_ps(sums.v0), v0)
      guard tokens == 4 else { return }
      v1 = fused(scale, _mm256_cvtepi32_ps(sums.v1), v1)
      v2 = fused(scale, _mm256_cvtepi32_ps(sums.v2), v2)
      v3 = fused(scale, _mm256_cvtepi32_ps(sums.v3), v3)
    }

    /// Adds values times the tokens' factors, which lie `step` bytes apart.
    @inline(__always)
    mutating func add(
      _ values: FourFloats, _ factors: UnsafeRawPointer, _ step: Int, _ tokens: Int
    ) {
      v0 = fused(values.v0, broadcastFloat8(factors), v0)
      guard tokens == 4 else { return }
      v1 = fused(values.v1, broadcastFloat8(factors + step), v1)
      v2 = fused(values.v2, broadcastFloat8(factors + step * 2), v2)
      v3 = fused(values.v3, broadcastFloat8(factors + step * 3), v3)
    }

    /// Adds the rows' values times the tokens' factors.
    @inline(__always)
    mutating func add(
      _ rows: UnsafeRawPointer, _ factors: UnsafeRawPointer, _ step: Int, _ tokens: Int
    ) {
      let row = rows.loadUnaligned(as: SIMD8<Float>.self)
      v0 = fused(row, broadcastFloat8(factors), v0)
      guard tokens == 4 else { return }
      v1 = fused(row, broadcastFloat8(factors + step), v1)
      v2 = fused(row, broadcastFloat8(factors + step * 2), v2)
      v3 = fused(row, broadcastFloat8(factors + step * 3), v3)
    }

    @inline(__always)
    func store(_ out: UnsafeMutablePointer<Float>, _ tokens: Int) {
      store8(v0, out)
      guard tokens == 4 else { return }
      store8(v1, out + 16)
      store8(v2, out + 32)
      store8(v3, out + 48)
    }
  }

  @inline(__always)
  private func load8(_ pointer: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  private func store8(_ value: SIMD8<Float>, _ pointer: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD8<Float>.self)
  }
#endif
