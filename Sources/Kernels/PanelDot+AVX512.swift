#if KERNELS_AVX512
  import _Builtin_intrinsics.intel

  /// Tokens multiplied together.
  var tileTokens: Int { 8 }

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
    var token = 0
    while token < tokens {
      let part = tile.advanced(token, size)
      if token + 8 <= tokens {
        multiply8(size, affine, part)
        token += 8
      } else if token + 4 <= tokens {
        multiply4(size, affine, part)
        token += 4
      } else {
        multiply1(size, affine, part)
        token += 1
      }
    }
  }

  @inline(__always)
  private func multiply8(_ size: Int, _ affine: Bool, _ tile: Tile) {
    let (k, results) = (tile.k, tile.results)
    var f0 = load16(results)
    var f1 = load16(results + 16)
    var f2 = load16(results + 32)
    var f3 = load16(results + 48)
    var f4 = load16(results + 64)
    var f5 = load16(results + 80)
    var f6 = load16(results + 96)
    var f7 = load16(results + 112)
    let (dStep, sStep) = (k / 32 * 4, k / size * 4)
    var weights = tile.panel
    for block in 0..<(tile.count / size) {
      let a = tile.q + block * size
      let d = tile.scales + block * size / 32 * 4
      let s = tile.operands + block * 4
      var i0 = start(affine, s)
      var i1 = start(affine, s + sStep)
      var i2 = start(affine, s + sStep * 2)
      var i3 = start(affine, s + sStep * 3)
      var i4 = start(affine, s + sStep * 4)
      var i5 = start(affine, s + sStep * 5)
      var i6 = start(affine, s + sStep * 6)
      var i7 = start(affine, s + sStep * 7)
      for g in 0..<(size / 4) {
        let w = loadVector(weights, g * 64)
        let at = a + g * 4
        i0 = _mm512_dpbusd_epi32(i0, w, broadcastWord(at))
        i1 = _mm512_dpbusd_epi32(i1, w, broadcastWord(at + k))
        i2 = _mm512_dpbusd_epi32(i2, w, broadcastWord(at + k * 2))
        i3 = _mm512_dpbusd_epi32(i3, w, broadcastWord(at + k * 3))
        i4 = _mm512_dpbusd_epi32(i4, w, broadcastWord(at + k * 4))
        i5 = _mm512_dpbusd_epi32(i5, w, broadcastWord(at + k * 5))
        i6 = _mm512_dpbusd_epi32(i6, w, broadcastWord(at + k * 6))
        i7 = _mm512_dpbusd_epi32(i7, w, broadcastWord(at + k * 7))
      }
      finish(size, affine, weights, i0, d, s, &f0)
      finish(size, affine, weights, i1, d + dStep, s + sStep, &f1)
      finish(size, affine, weights, i2, d + dStep * 2, s + sStep * 2, &f2)
      finish(size, affine, weights, i3, d + dStep * 3, s + sStep * 3, &f3)
      finish(size, affine, weights, i4, d + dStep * 4, s + sStep * 4, &f4)
      finish(size, affine, weights, i5, d + dStep * 5, s + sStep * 5, &f5)
      finish(size, affine, weights, i6, d + dStep * 6, s + sStep * 6, &f6)
      finish(size, affine, weights, i7, d + dStep * 7, s + sStep * 7, &f7)
      weights += packedBytes(size, affine)
    }
    store16(f0, results)
    store16(f1, results + 16)
    store16(f2, results + 32)
    store16(f3, results + 48)
    store16(f4, results + 64)
    store16(f5, results + 80)
    store16(f6, results + 96)
    store16(f7, results + 112)
  }

  @inline(__always)
  private func multiply4(_ size: Int, _ affine: Bool, _ tile: Tile) {
    let (k, results) = (tile.k, tile.results)
    var f0 = load16(results)
    var f1 = load16(results + 16)
    var f2 = load16(results + 32)
    var f3 = load16(results + 48)
    let (dStep, sStep) = (k / 32 * 4, k / size * 4)
    var weights = tile.panel
    for block in 0..<(tile.count / size) {
      let a = tile.q + block * size
      let d = tile.scales + block * size / 32 * 4
      let s = tile.operands + block * 4
      var i0 = start(affine, s)
      var i1 = start(affine, s + sStep)
      var i2 = start(affine, s + sStep * 2)
      var i3 = start(affine, s + sStep * 3)
      for g in 0..<(size / 4) {
        let w = loadVector(weights, g * 64)
        let at = a + g * 4
        i0 = _mm512_dpbusd_epi32(i0, w, broadcastWord(at))
        i1 = _mm512_dpbusd_epi32(i1, w, broadcastWord(at + k))
        i2 = _mm512_dpbusd_epi32(i2, w, broadcastWord(at + k * 2))
        i3 = _mm512_dpbusd_epi32(i3, w, broadcastWord(at + k * 3))
      }
      finish(size, affine, weights, i0, d, s, &f0)
      finish(size, affine, weights, i1, d + dStep, s + sStep, &f1)
      finish(size, affine, weights, i2, d + dStep * 2, s + sStep * 2, &f2)
      finish(size, affine, weights, i3, d + dStep * 3, s + sStep * 3, &f3)
      weights += packedBytes(size, affine)
    }
    store16(f0, results)
    store16(f1, results + 16)
    store16(f2, results + 32)
    store16(f3, results + 48)
  }

  @inline(__always)
  private func multiply1(_ size: Int, _ affine: Bool, _ tile: Tile) {
    var f0 = load16(tile.results)
    var weights = tile.panel
    for block in 0..<(tile.count / size) {
      let a = tile.q + block * size
      var i0 = start(affine, tile.operands + block * 4)
      for g in 0..<(size / 4) {
        i0 = _mm512_dpbusd_epi32(i0, loadVector(weights, g * 64), broadcastWord(a + g * 4))
      }
      finish(
        size, affine, weights, i0, tile.scales + block * size / 32 * 4, tile.operands + block * 4,
        &f0)
      weights += packedBytes(size, affine)
    }
    store16(f0, tile.results)
  }

  @inline(__always)
  private func loadVector(_ pointer: UnsafeRawPointer, _ offset: Int) -> __m512i {
    pointer.loadUnaligned(fromByteOffset: offset, as: __m512i.self)
  }

  @inline(__always)
  private func broadcastWord(_ pointer: UnsafeRawPointer) -> __m512i {
    _mm512_set1_epi32(pointer.loadUnaligned(as: Int32.self))
  }

  /// What the integer sum of a sub-block starts from.
  @inline(__always)
  private func start(_ affine: Bool, _ operand: UnsafeRawPointer) -> __m512i {
    affine ? _mm512_setzero_si512() : broadcastWord(operand)
  }

  /// Adds a sub-block's integer sums, scaled, to the running results.
  @inline(__always)
  private func finish(
    _ size: Int, _ affine: Bool, _ weights: UnsafeRawPointer, _ sums: __m512i,
    _ scale: UnsafeRawPointer, _ operand: UnsafeRawPointer, _ result: inout SIMD16<Float>
  ) {
    let d = broadcastFloat(scale)
    let scales = weights.loadUnaligned(fromByteOffset: size * 16, as: SIMD16<Float>.self)
    let product = _mm512_cvtepi32_ps(sums)
    result = result + (scales * d) * product
    if affine {
      let minima = weights.loadUnaligned(fromByteOffset: size * 16 + 64, as: SIMD16<Float>.self)
      result = result + (minima * d) * broadcastFloat(operand)
    }
  }
#endif
