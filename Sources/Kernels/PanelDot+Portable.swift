#if !KERNELS_AVX2 && !KERNELS_AVX512
  // Sums of products of a sub-block stay below 2^24, so floats hold them exactly: plain
  // multiplications and additions give the integer kernels' results on any machine.

  /// Tokens multiplied together.
  var tileTokens: Int { 4 }
  var panelsTogether: Int { 1 }
  var bytesPerPackedWeight: Int { 4 }
  var bytesPerActivation: Int { 4 }

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
    if tokens == 4 {
      // Eight rows at a time, so that sixteen vector registers of 128 bits suffice.
      multiply4(size, affine, tile, 0)
      multiply4(size, affine, tile, 1)
    } else {
      for token in 0..<tokens { multiply1(size, affine, tile.advanced(token, size)) }
    }
  }

  /// Four tokens, rows 0..<8 or 8..<16 of the panel.
  @inline(__always)
  private func multiply4(_ size: Int, _ affine: Bool, _ tile: Tile, _ rows: Int) {
    let aStep = tile.k * 4
    let (dStep, sStep) = (tile.k / 32 * 4, tile.k / size * 4)
    let results = UnsafeMutableRawPointer(tile.results + rows * 8)
    var weights = tile.panel + rows * 32
    var (a, d, s) = (tile.q, tile.scales, tile.operands)
    for _ in 0..<(tile.count / 32) {
      let zero = SIMD8<Float>(repeating: 0)
      var (p0, p1, p2, p3) = (zero, zero, zero, zero)
      for half in 0..<(32 / size) {
        let w = weights + half * packedBytes(size, affine)
        let operand = s + half * 4
        var i0 = start(affine, operand)
        var i1 = start(affine, operand + sStep)
        var i2 = start(affine, operand + sStep * 2)
        var i3 = start(affine, operand + sStep * 3)
        for i in 0..<size {
          let row = w.loadUnaligned(fromByteOffset: i * 64, as: SIMD8<Float>.self)
          let at = a + half * 64 + i * 4
          i0 += row * broadcastFloat8(at)
          i1 += row * broadcastFloat8(at + aStep)
          i2 += row * broadcastFloat8(at + aStep * 2)
          i3 += row * broadcastFloat8(at + aStep * 3)
        }
        let scales = w.loadUnaligned(fromByteOffset: size * 64, as: SIMD8<Float>.self)
        p0 = half == 0 ? scales * i0 : fused(scales, i0, p0)
        p1 = half == 0 ? scales * i1 : fused(scales, i1, p1)
        p2 = half == 0 ? scales * i2 : fused(scales, i2, p2)
        p3 = half == 0 ? scales * i3 : fused(scales, i3, p3)
      }
      finish(size, affine, weights, p0, d, s, results)
      finish(size, affine, weights, p1, d + dStep, s + sStep, results + 64)
      finish(size, affine, weights, p2, d + dStep * 2, s + sStep * 2, results + 128)
      finish(size, affine, weights, p3, d + dStep * 3, s + sStep * 3, results + 192)
      weights += 32 / size * packedBytes(size, affine)
      a += 128
      d += 4
      s += 32 / size * 4
    }
  }

  /// One token, sixteen rows.
  @inline(__always)
  private func multiply1(_ size: Int, _ affine: Bool, _ tile: Tile) {
    let results = UnsafeMutableRawPointer(tile.results)
    var weights = tile.panel
    var (a, d, s) = (tile.q, tile.scales, tile.operands)
    for _ in 0..<(tile.count / 32) {
      var (p0, p1) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
      for half in 0..<(32 / size) {
        let w = weights + half * packedBytes(size, affine)
        var i0 = start(affine, s + half * 4)
        var i1 = i0
        for i in 0..<size {
          let value = broadcastFloat8(a + half * 64 + i * 4)
          i0 += w.loadUnaligned(fromByteOffset: i * 64, as: SIMD8<Float>.self) * value
          i1 += w.loadUnaligned(fromByteOffset: i * 64 + 32, as: SIMD8<Float>.self) * value
        }
        let low = w.loadUnaligned(fromByteOffset: size * 64, as: SIMD8<Float>.self)
        let high = w.loadUnaligned(fromByteOffset: size * 64 + 32, as: SIMD8<Float>.self)
        p0 = half == 0 ? low * i0 : fused(low, i0, p0)
        p1 = half == 0 ? high * i1 : fused(high, i1, p1)
      }
      finish(size, affine, weights, p0, d, s, results)
      finish(size, affine, weights + 32, p1, d, s, results + 32)
      weights += 32 / size * packedBytes(size, affine)
      a += 128
      d += 4
      s += 32 / size * 4
    }
  }

  /// What the sum of a sub-block starts from.
  @inline(__always)
  private func start(_ affine: Bool, _ operand: UnsafeRawPointer) -> SIMD8<Float> {
    affine ? SIMD8(repeating: 0) : broadcastFloat8(operand)
  }

  /// Adds a block's scaled sums to the running results.
  @inline(__always)
  private func finish(
    _ size: Int, _ affine: Bool, _ weights: UnsafeRawPointer, _ scaled: SIMD8<Float>,
    _ factor: UnsafeRawPointer, _ operands: UnsafeRawPointer, _ results: UnsafeMutableRawPointer
  ) {
    var result = results.loadUnaligned(as: SIMD8<Float>.self)
    result = fused(scaled, broadcastFloat8(factor), result)
    if affine {
      for half in 0..<(32 / size) {
        let minima = (weights + half * packedBytes(size, affine))
          .loadUnaligned(fromByteOffset: size * 64 + 64, as: SIMD8<Float>.self)
        result = fused(minima, broadcastFloat8(operands + half * 4), result)
      }
    }
    results.storeBytes(of: result, as: SIMD8<Float>.self)
  }
#endif
