// What the panel kernels of all instruction sets have in common. A panel is multiplied with a run of
// tokens, a tile at a time; the run's working memory ("prepared") is
//   results   [panelsTogether][tokens][16 rows] floats, running sums
//   operands  [tokens][sub-blocks]: what the integer sum starts from (-offset * sum of q) or, for
//             affine types, what the minima are multiplied with (d * sum of q)
// and, in the portable kernels, where integers are computed as exact floats,
//   operands  as floats in both cases, and
//   q         [tokens][k] floats

/// What a dot kernel works on: packed weights, and the tile's activations from the panel's first
/// weight on. `k` is the distance of the tokens.
///
/// Variants whose `panelsTogether` is 2 multiply one panel or two; the second one's weights and
/// results lie `panelStride` bytes and `resultStride` floats behind the first one's.
struct Tile {
  var panel: UnsafeRawPointer
  var panelCount: Int
  var panelStride: Int
  var resultStride: Int
  var count: Int
  var k: Int
  var q: UnsafeRawPointer
  var scales: UnsafeRawPointer
  var operands: UnsafeRawPointer
  var results: UnsafeMutablePointer<Float>

  /// The same tile from token `index` on; `size` is that of the sub-blocks.
  @inline(__always)
  func advanced(_ index: Int, _ size: Int) -> Tile {
    var tile = self
    tile.q += index * k * bytesPerActivation
    tile.scales += index * (k / 32) * 4
    tile.operands += index * (k / size) * 4
    tile.results += index * 16
    return tile
  }
}

/// Bytes of one packed sub-block.
@inline(__always)
func packedBytes(_ size: Int, _ affine: Bool) -> Int {
  size * 16 * bytesPerPackedWeight + (affine ? 128 : 64)
}

/// Bytes of `count` packed weights of sixteen rows.
@inline(__always)
func panelBytes(_ type: UInt32, _ count: Int) -> Int {
  let size = subBlockSize(type)
  return count / size * packedBytes(size, isAffine(type))
}

/// The largest panel of `count` weights of any type: affine with sub-blocks of 16.
@inline(__always)
func panelBytes(_ count: Int) -> Int { count / 16 * packedBytes(16, true) }

/// Working memory of a run of tokens with rows of `k` weights or fewer.
@inline(__always)
func preparedBytes(_ k: Int) -> Int {
  // Shorter rows have longer runs.
  let activations = max(min(longestRun * k, runActivations), tileTokens * k)
  return longestRun * panelsTogether * 64 + activations / 4
    + (bytesPerActivation > 1 ? activations * 4 : 0)
}

/// Most tokens that go through together, and most of their activations: those stay in the
/// second-level cache.
private var longestRun: Int { 512 }
private var runActivations: Int { (1 << 20) / bytesPerActivation }

/// Tokens that go through together.
@inline(__always)
func runTokens(_ k: Int) -> Int {
  max(tileTokens, min(longestRun, runActivations / k) / tileTokens * tileTokens)
}

/// A run of tokens and where their working memory lies.
struct PreparedTokens {
  let q: UnsafeRawPointer
  let scales: UnsafePointer<Float>
  let operands: UnsafeMutableRawPointer
  let results: UnsafeMutablePointer<Float>
  let k: Int
  let count: Int

  /// Computes the operands.
  init(
    _ type: UInt32, _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>,
    _ sums: UnsafePointer<Int32>, _ k: Int, _ count: Int, _ memory: UnsafeMutableRawPointer
  ) {
    (self.scales, self.k, self.count) = (scales, k, count)
    results = memory.assumingMemoryBound(to: Float.self)
    operands = memory + panelsTogether * count * 64
    #if KERNELS_AVX2 || KERNELS_AVX512
      self.q = UnsafeRawPointer(q)
    #else
      let floats = (operands + count * (k / 16) * 4).assumingMemoryBound(to: Float.self)
      for i in 0..<(count * k) { floats[i] = Float(q[i]) }
      self.q = UnsafeRawPointer(floats)
    #endif
    let offset = 0 &- byteOffset(type)
    let isWide = subBlockSize(type) == 32
    switch (isAffine(type), isWide) {
    case (true, true): putProducts(2, sums, count * (k / 32))
    case (true, false): putProducts(1, sums, count * (k / 16))
    case (false, true): putStarts(2, offset, sums, count * (k / 32))
    case (false, false): putStarts(1, offset, sums, count * (k / 16))
    }
  }

  /// d * sum of q; `width` sums make one of a sub-block.
  @inline(__always)
  private func putProducts(_ width: Int, _ sums: UnsafePointer<Int32>, _ count: Int) {
    let out = operands.assumingMemoryBound(to: Float.self)
    for i in 0..<count {
      let sum = width == 2 ? sums[2 * i] &+ sums[2 * i + 1] : sums[i]
      out[i] = scales[i * width / 2] * Float(sum)
    }
  }

  /// -offset * sum of q.
  @inline(__always)
  private func putStarts(
    _ width: Int, _ offset: Int32, _ sums: UnsafePointer<Int32>, _ count: Int
  ) {
    #if KERNELS_AVX2 || KERNELS_AVX512
      let out = operands.assumingMemoryBound(to: Int32.self)
      for i in 0..<count {
        out[i] = offset &* (width == 2 ? sums[2 * i] &+ sums[2 * i + 1] : sums[i])
      }
    #else
      let out = operands.assumingMemoryBound(to: Float.self)
      for i in 0..<count {
        out[i] = Float(offset &* (width == 2 ? sums[2 * i] &+ sums[2 * i + 1] : sums[i]))
      }
    #endif
  }

  /// Starts anew.
  @inline(__always)
  func clearResults() { results.update(repeating: 0, count: panelsTogether * count * 16) }

  /// Adds the products of weights `first..<first + weightCount` of panels `stride` bytes apart, tile
  /// by tile.
  @inline(__always)
  func multiply(
    _ type: UInt32, _ panel: UnsafeRawPointer, panels: Int, stride: Int, _ first: Int,
    _ weightCount: Int
  ) {
    let size = subBlockSize(type)
    let all = Tile(
      panel: panel, panelCount: panels, panelStride: stride, resultStride: count * 16,
      count: weightCount, k: k, q: q + first * bytesPerActivation,
      scales: UnsafeRawPointer(scales + first / 32),
      operands: UnsafeRawPointer(operands + first / size * 4), results: results)
    var token = 0
    while token < count {
      let tokens = min(tileTokens, count - token)
      multiplyTile(type, all.advanced(token, size), tokens)
      token += tokens
    }
  }

  /// Results of `rowCount` rows to their places.
  @inline(__always)
  func store(_ out: UnsafeMutablePointer<Float>, _ outStride: Int, _ rowCount: Int) {
    for t in 0..<count {
      var row = 0
      while row < rowCount {
        let from = results + (row * count + t * 16)
        let to = out + t * outStride + row
        if rowCount - row >= 16 {
          store16(load16(from), to)
        } else {
          for r in 0..<(rowCount - row) { to[r] = from[r] }
        }
        row += 16
      }
    }
  }
}

@inline(__always)
func broadcastFloat(_ pointer: UnsafeRawPointer) -> SIMD16<Float> {
  SIMD16(repeating: pointer.loadUnaligned(as: Float.self))
}

@inline(__always)
func broadcastFloat8(_ pointer: UnsafeRawPointer) -> SIMD8<Float> {
  SIMD8(repeating: pointer.loadUnaligned(as: Float.self))
}
