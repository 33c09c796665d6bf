// Products of float weights, packed in panels, with float activations: the running sums of a tile of
// rows and tokens stay in registers. A result is one chain of fused additions over the columns that
// starts from the bias, so it depends neither on what is computed beside it nor, where fused
// additions exist, on the instruction set.

#if KERNELS_AVX512
  /// Vectors of sixteen rows in a panel.
  var densePanelVectors: Int { 2 }
  /// Tokens multiplied together.
  var denseTileTokens: Int { 12 }
#else
  var densePanelVectors: Int { 1 }
  var denseTileTokens: Int { 6 }
#endif

/// Rows of a panel, which is [k][rows].
var densePanelRows: Int { densePanelVectors * 16 }

/// What a tile reads and writes. Rows beyond `rowCount` are computed and dropped.
struct DenseTile {
  var panel: UnsafePointer<Float>
  var k: Int
  /// The sums begin with these, one for each row of a panel.
  var start: UnsafePointer<Float>
  var x: UnsafePointer<Float>
  var xStride: Int
  var out: UnsafeMutablePointer<Float>
  var outStride: Int
  var rowCount: Int
}

/// Multiplies a panel with `tokens` tokens, `denseTileTokens` or one.
func multiplyDense(_ tile: DenseTile, _ tokens: Int) {
  if tokens == denseTileTokens {
    multiplyDenseTile(tile)
  } else {
    multiplyDenseToken(tile)
  }
}

@inline(never)
private func multiplyDenseTile(_ tile: DenseTile) {
  var first = SixTokens(load16(tile.start))
  #if KERNELS_AVX512
    var second = SixTokens(load16(tile.start + 16))
    var (later, laterSecond) = (first, second)
  #endif
  var (weights, x) = (tile.panel, tile.x)
  let stride = tile.xStride
  for _ in 0..<tile.k {
    let w = load16(weights)
    #if KERNELS_AVX512
      let w2 = load16(weights + 16)
      first.add(w, &second, w2, x, stride)
      later.add(w, &laterSecond, w2, x + 6 * stride, stride)
    #else
      first.add(w, x, stride)
    #endif
    weights += densePanelRows
    x += 1
  }
  first.store(tile.out, tile.outStride, tile.rowCount)
  #if KERNELS_AVX512
    later.store(tile.out + 6 * tile.outStride, tile.outStride, tile.rowCount)
    if tile.rowCount > 16 {
      second.store(tile.out + 16, tile.outStride, tile.rowCount - 16)
      laterSecond.store(tile.out + 16 + 6 * tile.outStride, tile.outStride, tile.rowCount - 16)
    }
  #endif
}

@inline(never)
private func multiplyDenseToken(_ tile: DenseTile) {
  for vector in 0..<densePanelVectors where tile.rowCount > vector * 16 {
    var sum = load16(tile.start + vector * 16)
    var weights = tile.panel + vector * 16
    for i in 0..<tile.k {
      sum = fused(load16(weights), SIMD16(repeating: tile.x[i]), sum)
      weights += densePanelRows
    }
    storeRows(sum, tile.out + vector * 16, tile.rowCount - vector * 16)
  }
}

/// Sums of sixteen rows and six tokens.
private struct SixTokens {
  var v0, v1, v2, v3, v4, v5: SIMD16<Float>

  @inline(__always)
  init(_ start: SIMD16<Float>) {
    (v0, v1, v2, v3, v4, v5) = (start, start, start, start, start, start)
  }

  /// Adds one column's weights times the tokens' activations, which lie `stride` floats apart.
  @inline(__always)
  mutating func add(_ w: SIMD16<Float>, _ x: UnsafePointer<Float>, _ stride: Int) {
    v0 = fused(w, SIMD16(repeating: x[0]), v0)
    v1 = fused(w, SIMD16(repeating: x[stride]), v1)
    v2 = fused(w, SIMD16(repeating: x[2 * stride]), v2)
    v3 = fused(w, SIMD16(repeating: x[3 * stride]), v3)
    v4 = fused(w, SIMD16(repeating: x[4 * stride]), v4)
    v5 = fused(w, SIMD16(repeating: x[5 * stride]), v5)
  }

  /// The same for sixteen more rows, each activation being loaded once for both.
  @inline(__always)
  mutating func add(
    _ w: SIMD16<Float>, _ other: inout SixTokens, _ w2: SIMD16<Float>, _ x: UnsafePointer<Float>,
    _ stride: Int
  ) {
    let a0 = SIMD16(repeating: x[0])
    v0 = fused(w, a0, v0)
    other.v0 = fused(w2, a0, other.v0)
    let a1 = SIMD16(repeating: x[stride])
    v1 = fused(w, a1, v1)
    other.v1 = fused(w2, a1, other.v1)
    let a2 = SIMD16(repeating: x[2 * stride])
    v2 = fused(w, a2, v2)
    other.v2 = fused(w2, a2, other.v2)
    let a3 = SIMD16(repeating: x[3 * stride])
    v3 = fused(w, a3, v3)
    other.v3 = fused(w2, a3, other.v3)
    let a4 = SIMD16(repeating: x[4 * stride])
    v4 = fused(w, a4, v4)
    other.v4 = fused(w2, a4, other.v4)
    let a5 = SIMD16(repeating: x[5 * stride])
    v5 = fused(w, a5, v5)
    other.v5 = fused(w2, a5, other.v5)
  }

  @inline(__always)
  func store(_ out: UnsafeMutablePointer<Float>, _ stride: Int, _ rowCount: Int) {
    storeRows(v0, out, rowCount)
    storeRows(v1, out + stride, rowCount)
    storeRows(v2, out + 2 * stride, rowCount)
    storeRows(v3, out + 3 * stride, rowCount)
    storeRows(v4, out + 4 * stride, rowCount)
    storeRows(v5, out + 5 * stride, rowCount)
  }
}

@inline(__always)
private func storeRows(
  _ value: SIMD16<Float>, _ out: UnsafeMutablePointer<Float>, _ rowCount: Int
) {
  if rowCount >= 16 { store16(value, out) } else { storePartial(value, out, rowCount) }
}
