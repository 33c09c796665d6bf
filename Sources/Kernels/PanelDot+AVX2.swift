#if KERNELS_AVX2
  import _Builtin_intrinsics.intel

  /// Tokens multiplied together.
  var tileTokens: Int { 4 }
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

  /// Inlined into each of the above, so that the first three parameters are constants.
  @inline(__always)
  private func multiplyTokens(
    _ size: Int, _ affine: Bool, _ chain: Int, _ tile: Tile, _ tokens: Int
  ) {
    if tokens == 4 {
      // Eight rows at a time, so that everything stays in registers.
      multiply4(size, affine, chain, tile, 0)
      multiply4(size, affine, chain, tile, 1)
    } else {
      for token in 0..<tokens { multiply1(size, affine, chain, tile.advanced(token, size)) }
    }
  }

  /// Four tokens, rows 0..<8 or 8..<16 of the panel.
  @inline(__always)
  private func multiply4(
    _ size: Int, _ affine: Bool, _ chain: Int, _ tile: Tile, _ half: Int
  ) {
    let k = tile.k
    let (dStep, sStep) = (k / 32 * 4, k / size * 4)
    let results = tile.results + half * 8
    var f0 = load8(results)
    var f1 = load8(results + 16)
    var f2 = load8(results + 32)
    var f3 = load8(results + 48)
    var weights = tile.panel + half * 32
    for block in 0..<(tile.count / size) {
      let a = tile.q + block * size
      let d = tile.scales + block * size / 32 * 4
      let s = tile.operands + block * 4
      var i0 = start(affine, chain, s)
      var i1 = start(affine, chain, s + sStep)
      var i2 = start(affine, chain, s + sStep * 2)
      var i3 = start(affine, chain, s + sStep * 3)
      var group = 0
      while group < size / 4 {
        var (p0, p1, p2, p3) = (zero, zero, zero, zero)
        for g in group..<(group + chain) {
          let w = loadVector(weights, g * 64)
          let at = a + g * 4
          p0 = addPairs(p0, w, at, chain)
          p1 = addPairs(p1, w, at + k, chain)
          p2 = addPairs(p2, w, at + k * 2, chain)
          p3 = addPairs(p3, w, at + k * 3, chain)
        }
        i0 = widen(i0, p0)
        i1 = widen(i1, p1)
        i2 = widen(i2, p2)
        i3 = widen(i3, p3)
        group += chain
      }
      finish(size, affine, weights, i0, d, s, &f0)
      finish(size, affine, weights, i1, d + dStep, s + sStep, &f1)
      finish(size, affine, weights, i2, d + dStep * 2, s + sStep * 2, &f2)
      finish(size, affine, weights, i3, d + dStep * 3, s + sStep * 3, &f3)
      weights += packedBytes(size, affine)
    }
    store8(f0, results)
    store8(f1, results + 16)
    store8(f2, results + 32)
    store8(f3, results + 48)
  }

  /// One token, sixteen rows.
  @inline(__always)
  private func multiply1(_ size: Int, _ affine: Bool, _ chain: Int, _ tile: Tile) {
    var f0 = load8(tile.results)
    var f1 = load8(tile.results + 8)
    var weights = tile.panel
    for block in 0..<(tile.count / size) {
      let a = tile.q + block * size
      let d = tile.scales + block * size / 32 * 4
      let s = tile.operands + block * 4
      var i0 = start(affine, chain, s)
      var i1 = i0
      var group = 0
      while group < size / 4 {
        var (p0, p1) = (zero, zero)
        for g in group..<(group + chain) {
          p0 = addPairs(p0, loadVector(weights, g * 64), a + g * 4, chain)
          p1 = addPairs(p1, loadVector(weights, g * 64 + 32), a + g * 4, chain)
        }
        i0 = widen(i0, p0)
        i1 = widen(i1, p1)
        group += chain
      }
      finish(size, affine, weights, i0, d, s, &f0)
      finish(size, affine, weights + 32, i1, d, s, &f1)
      weights += packedBytes(size, affine)
    }
    store8(f0, tile.results)
    store8(f1, tile.results + 8)
  }

  private var zero: __m256i {
    @inline(__always) get { _mm256_setzero_si256() }
  }

  @inline(__always)
  private func load8(_ pointer: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
  }

  @inline(__always)
  private func store8(_ value: SIMD8<Float>, _ pointer: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD8<Float>.self)
  }

  @inline(__always)
  private func loadVector(_ pointer: UnsafeRawPointer, _ offset: Int) -> __m256i {
    pointer.loadUnaligned(fromByteOffset: offset, as: __m256i.self)
  }

  @inline(__always)
  private func broadcastWord(_ pointer: UnsafeRawPointer) -> __m256i {
    _mm256_set1_epi32(pointer.loadUnaligned(as: Int32.self))
  }

  /// Adds four products per row, summed in pairs, to 16-bit sums.
  @inline(__always)
  private func addPairs(
    _ sums: __m256i, _ weights: __m256i, _ activations: UnsafeRawPointer, _ chain: Int
  ) -> __m256i {
    let a = broadcastWord(activations)
    let pairs =
      chain == 1
      ? _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(a, weights))
      : _mm256_maddubs_epi16(weights, a)
    return _mm256_add_epi16(sums, pairs)
  }

  @inline(__always)
  private func widen(_ sums: __m256i, _ pairs: __m256i) -> __m256i {
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
  }

  /// What the integer sum of a sub-block starts from.
  @inline(__always)
  private func start(_ affine: Bool, _ chain: Int, _ operand: UnsafeRawPointer) -> __m256i {
    affine || chain == 1 ? zero : broadcastWord(operand)
  }

  /// Adds a sub-block's integer sums, scaled, to the running results.
  @inline(__always)
  private func finish(
    _ size: Int, _ affine: Bool, _ weights: UnsafeRawPointer, _ sums: __m256i,
    _ scale: UnsafeRawPointer, _ operand: UnsafeRawPointer, _ result: inout SIMD8<Float>
  ) {
    let d = broadcastFloat8(scale)
    let scales = weights.loadUnaligned(fromByteOffset: size * 16, as: SIMD8<Float>.self)
    result = result + (scales * d) * _mm256_cvtepi32_ps(sums)
    if affine {
      let minima = weights.loadUnaligned(fromByteOffset: size * 16 + 64, as: SIMD8<Float>.self)
      result = result + (minima * d) * broadcastFloat8(operand)
    }
  }
#endif
