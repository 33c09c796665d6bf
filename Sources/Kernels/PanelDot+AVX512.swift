#if KERNELS_AVX512
  import _Builtin_intrinsics.intel

  /// Tokens multiplied together.
  var tileTokens: Int { 4 }

  /// Panels multiplied together: each activation is then loaded once for both.
  var panelsTogether: Int { 2 }

  var bytesPerPackedWeight: Int { 1 }
  var bytesPerActivation: Int { 1 }

  func multiplyTile(_ type: UInt32, _ tile: Tile, _ tokens: Int) {
    switch (subBlockSize(type), isAffine(type)) {
    case (32, false): multiplyPlain32(tile, tokens)
    case (32, true): multiplyAffine32(tile, tokens)
    case (_, false): multiplyPlain16(tile, tokens)
    case (_, true): multiplyAffine16(tile, tokens)
    }
  }

  @inline(never)
  private func multiplyPlain32(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(32, false, tile, tokens)
  }

  @inline(never)
  private func multiplyAffine32(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(32, true, tile, tokens)
  }

  @inline(never)
  private func multiplyPlain16(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(16, false, tile, tokens)
  }

  @inline(never)
  private func multiplyAffine16(_ tile: Tile, _ tokens: Int) {
    multiplyTokens(16, true, tile, tokens)
  }

  /// Inlined into each of the above, so that `size` and `affine` are constants.
  @inline(__always)
  private func multiplyTokens(_ size: Int, _ affine: Bool, _ tile: Tile, _ tokens: Int) {
    switch (tokens, tile.panelCount) {
    case (4, 2): multiply(4, 2, size, affine, tile)
    case (4, _): multiply(4, 1, size, affine, tile)
    default:
      for token in 0..<tokens {
        let part = tile.advanced(token, size)
        if tile.panelCount == 2 {
          multiply(1, 2, size, affine, part)
        } else {
          multiply(1, 1, size, affine, part)
        }
      }
    }
  }

  /// `tokens` is 1 or 4, `panels` 1 or 2: constants, so that the vectors of the others are not there.
  @inline(__always)
  private func multiply(
    _ tokens: Int, _ panels: Int, _ size: Int, _ affine: Bool, _ tile: Tile
  ) {
    let (k, dStep, sStep) = (tile.k, tile.k / 32 * 4, tile.k / size * 4)
    let next = tile.panelStride
    var first = FourFloats(tile.results, tokens)
    var second = panels == 2 ? FourFloats(tile.results + tile.resultStride, tokens) : first
    var weights = tile.panel
    var (a, d, s) = (tile.q, tile.scales, tile.operands)
    for _ in 0..<(tile.count / 32) {
      var scaled = (first, second)
      for half in 0..<(32 / size) {
        let start = affine ? FourSums() : FourSums(s + half * 4, sStep, tokens)
        var sums = (start, start)
        let w = weights + half * packedBytes(size, affine)
        for g in 0..<(size / 4) {
          let words = FourSums(a + half * 16 + g * 4, k, tokens)
          sums.0.add(w + g * 64, words, tokens)
          if panels == 2 { sums.1.add(w + next + g * 64, words, tokens) }
        }
        let scales = w + size * 16
        if half == 0 {
          scaled.0 = FourFloats(scales, sums.0, tokens)
          if panels == 2 { scaled.1 = FourFloats(scales + next, sums.1, tokens) }
        } else {
          scaled.0.add(scales, sums.0, tokens)
          if panels == 2 { scaled.1.add(scales + next, sums.1, tokens) }
        }
      }
      first.add(scaled.0, d, dStep, tokens)
      if panels == 2 { second.add(scaled.1, d, dStep, tokens) }
      if affine {
        for half in 0..<(32 / size) {
          let minima = weights + half * packedBytes(size, affine) + size * 16 + 64
          first.add(minima, s + half * 4, sStep, tokens)
          if panels == 2 { second.add(minima + next, s + half * 4, sStep, tokens) }
        }
      }
      weights += 32 / size * packedBytes(size, affine)
      a += 32
      d += 4
      s += 32 / size * 4
    }
    first.store(tile.results, tokens)
    if panels == 2 { second.store(tile.results + tile.resultStride, tokens) }
  }

  /// Integers of sixteen rows, or of one for all of them, and up to four tokens.
  private struct FourSums {
    var v0, v1, v2, v3: __m512i

    @inline(__always)
    init() {
      v0 = _mm512_setzero_si512()
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

    /// Adds the products of four weights of each row with four activations of each token.
    @inline(__always)
    mutating func add(_ weights: UnsafeRawPointer, _ activations: FourSums, _ tokens: Int) {
      let w = weights.loadUnaligned(as: __m512i.self)
      v0 = _mm512_dpbusd_epi32(v0, w, activations.v0)
      guard tokens == 4 else { return }
      v1 = _mm512_dpbusd_epi32(v1, w, activations.v1)
      v2 = _mm512_dpbusd_epi32(v2, w, activations.v2)
      v3 = _mm512_dpbusd_epi32(v3, w, activations.v3)
    }
  }

  /// Floats of sixteen rows and up to four tokens.
  private struct FourFloats {
    var v0, v1, v2, v3: SIMD16<Float>

    @inline(__always)
    init(_ values: UnsafePointer<Float>, _ tokens: Int) {
      v0 = load16(values)
      (v1, v2, v3) = (v0, v0, v0)
      guard tokens == 4 else { return }
      v1 = load16(values + 16)
      v2 = load16(values + 32)
      v3 = load16(values + 48)
    }

    /// The rows' scales times sums.
    @inline(__always)
    init(_ scales: UnsafeRawPointer, _ sums: FourSums, _ tokens: Int) {
      let scale = scales.loadUnaligned(as: SIMD16<Float>.self)
      v0 = scale * _mm512_cvtepi32_ps(sums.v0)
      (v1, v2, v3) = (v0, v0, v0)
      guard tokens == 4 else { return }
      v1 = scale * _mm512_cvtepi32_ps(sums.v1)
      v2 = scale * _mm512_cvtepi32_ps(sums.v2)
      v3 = scale * _mm512_cvtepi32_ps(sums.v3)
    }

    /// Adds the rows' scales times sums.
    @inline(__always)
    mutating func add(_ scales: UnsafeRawPointer, _ sums: FourSums, _ tokens: Int) {
      let scale = scales.loadUnaligned(as: SIMD16<Float>.self)
      v0 = fused(scale, _mm512_cvtepi32_ps(sums.v0), v0)
      guard tokens == 4 else { return }
      v1 = fused(scale, _mm512_cvtepi32_ps(sums.v1), v1)
      v2 = fused(scale, _mm512_cvtepi32_ps(sums.v2), v2)
      v3 = fused(scale, _mm512_cvtepi32_ps(sums.v3), v3)
    }

    /// Adds values times the tokens' factors, which lie `step` bytes apart.
    @inline(__always)
    mutating func add(
      _ values: FourFloats, _ factors: UnsafeRawPointer, _ step: Int, _ tokens: Int
    ) {
      v0 = fused(values.v0, broadcastFloat(factors), v0)
      guard tokens == 4 else { return }
      v1 = fused(values.v1, broadcastFloat(factors + step), v1)
      v2 = fused(values.v2, broadcastFloat(factors + step * 2), v2)
      v3 = fused(values.v3, broadcastFloat(factors + step * 3), v3)
    }

    /// Adds the rows' values times the tokens' factors.
    @inline(__always)
    mutating func add(
      _ rows: UnsafeRawPointer, _ factors: UnsafeRawPointer, _ step: Int, _ tokens: Int
    ) {
      let row = rows.loadUnaligned(as: SIMD16<Float>.self)
      v0 = fused(row, broadcastFloat(factors), v0)
      guard tokens == 4 else { return }
      v1 = fused(row, broadcastFloat(factors + step), v1)
      v2 = fused(row, broadcastFloat(factors + step * 2), v2)
      v3 = fused(row, broadcastFloat(factors + step * 3), v3)
    }

    @inline(__always)
    func store(_ out: UnsafeMutablePointer<Float>, _ tokens: Int) {
      store16(v0, out)
      guard tokens == 4 else { return }
      store16(v1, out + 16)
      store16(v2, out + 32)
      store16(v3, out + 48)
    }
  }

  @inline(__always)
  func broadcastWord(_ pointer: UnsafeRawPointer) -> __m512i {
    _mm512_set1_epi32(pointer.loadUnaligned(as: Int32.self))
  }
#endif
