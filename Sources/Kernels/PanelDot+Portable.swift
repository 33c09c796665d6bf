#if !KERNELS_AVX2 && !KERNELS_AVX512
  // Sums of products of a sub-block stay below 2^24, so floats hold them exactly: plain
  // multiplications and additions give the integer kernels' results on any machine.

  /// Tokens multiplied together.
  var tileTokens: Int { 4 }
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
  private func multiply4(_ size: Int, _ affine: Bool, _ tile: Tile, _ half: Int) {
    let aStep = tile.k * 4
    let (dStep, sStep) = (tile.k / 32 * 4, tile.k / size * 4)
    let results = UnsafeMutableRawPointer(tile.results + half * 8)
    var weights = tile.panel + half * 32
    for block in 0..<(tile.count / size) {
      let a = tile.q + block * size * 4
      let d = tile.scales + block * size / 32 * 4
      let s = tile.operands + block * 4
      var i0 = start(affine, s)
      var i1 = start(affine, s + sStep)
      var i2 = start(affine, s + sStep * 2)
      var i3 = start(affine, s + sStep * 3)
      for i in 0..<size {
        let w = weights.loadUnaligned(fromByteOffset: i * 64, as: SIMD8<Float>.self)
        let at = a + i * 4
        i0 += w * broadcastFloat8(at)
        i1 += w * broadcastFloat8(at + aStep)
        i2 += w * broadcastFloat8(at + aStep * 2)
        i3 += w * broadcastFloat8(at + aStep * 3)
      }
      finish(size, affine, weights, i0, d, s, results)
      finish(size, affine, weights, i1, d + dStep, s + sStep, results + 64)
      finish(size, affine, weights, i2, d + dStep * 2, s + sStep * 2, results + 128)
      finish(size, affine, weights, i3, d + dStep * 3, s + sStep * 3, results + 192)
      weights += packedBytes(size, affine)
    }
  }

  /// One token, sixteen rows.
  @inline(__always)
  private func multiply1(_ size: Int, _ affine: Bool, _ tile: Tile) {
    let results = UnsafeMutableRawPointer(tile.results)
    var weights = tile.panel
    for block in 0..<(tile.count / size) {
      let a = tile.q + block * size * 4
      let d = tile.scales + block * size / 32 * 4
      let s = tile.operands + block * 4
      var i0 = start(affine, s)
      var i1 = i0
      for i in 0..<size {
        let value = broadcastFloat8(a + i * 4)
        i0 += weights.loadUnaligned(fromByteOffset: i * 64, as: SIMD8<Float>.self) * value
        i1 += weights.loadUnaligned(fromByteOffset: i * 64 + 32, as: SIMD8<Float>.self) * value
      }
      finish(size, affine, weights, i0, d, s, results)
      finish(size, affine, weights + 32, i1, d, s, results + 32)
      weights += packedBytes(size, affine)
    }
  }

  /// What the sum of a sub-block starts from.
  @inline(__always)
  private func start(_ affine: Bool, _ operand: UnsafeRawPointer) -> SIMD8<Float> {
    affine ? SIMD8(repeating: 0) : broadcastFloat8(operand)
  }

  /// Adds a sub-block's sums, scaled, to the running results.
  @inline(__always)
  private func finish(
    _ size: Int, _ affine: Bool, _ weights: UnsafeRawPointer, _ sums: SIMD8<Float>,
    _ scale: UnsafeRawPointer, _ operand: UnsafeRawPointer, _ results: UnsafeMutableRawPointer
  ) {
    let d = broadcastFloat8(scale)
    let scales = weights.loadUnaligned(fromByteOffset: size * 64, as: SIMD8<Float>.self)
    var result = results.loadUnaligned(as: SIMD8<Float>.self) + (scales * d) * sums
    if affine {
      let minima = weights.loadUnaligned(fromByteOffset: size * 64 + 64, as: SIMD8<Float>.self)
      result = result + (minima * d) * broadcastFloat8(operand)
    }
    results.storeBytes(of: result, as: SIMD8<Float>.self)
  }
#endif
