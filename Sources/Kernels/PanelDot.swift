// What the panel kernels of all instruction sets have in common. A tile is a handful of tokens
// multiplied together; its working memory ("prepared") is
//   results   [tileTokens][16 rows] floats, running sums
//   operands  [tokens][sub-blocks]: what the integer sum starts from (-offset * sum of q) or, for
//             affine types, the sum of q as a float
// and, in the portable kernels, where integers are computed as exact floats,
//   operands  as floats in both cases, and
//   q         [tokens][k] floats

/// What a dot kernel works on: packed weights, and the tile's activations from the panel's first
/// weight on. `k` is the distance of the tokens.
struct Tile {
  var panel: UnsafeRawPointer
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

/// The largest panel of any type: affine with sub-blocks of 16.
@inline(__always)
func panelBytes(_ k: Int) -> Int { k / 16 * packedBytes(16, true) }

/// Working memory of a tile.
@inline(__always)
func preparedBytes(_ k: Int) -> Int {
  tileTokens * (64 + k / 16 * 4 + (bytesPerActivation > 1 ? k * 4 : 0))
}

/// Computes the operands of a tile.
func prepareTile(
  _ type: UInt32, _ q: UnsafePointer<Int8>, _ sums: UnsafePointer<Int32>, _ k: Int,
  _ tokens: Int, _ prepared: UnsafeMutableRawPointer
) {
  let operands = prepared + tileTokens * 64
  let factor = isAffine(type) ? 1 : 0 &- byteOffset(type)
  let count = tokens * (k / subBlockSize(type))
  if subBlockSize(type) == 16 {
    for i in 0..<count { putOperand(isAffine(type), factor &* sums[i], operands, i) }
  } else {
    for i in 0..<count {
      putOperand(isAffine(type), factor &* (sums[2 * i] &+ sums[2 * i + 1]), operands, i)
    }
  }
  #if !KERNELS_AVX2 && !KERNELS_AVX512
    let floats = (operands + tokens * (k / 16) * 4).assumingMemoryBound(to: Float.self)
    for i in 0..<(tokens * k) { floats[i] = Float(q[i]) }
  #endif
}

@inline(__always)
private func putOperand(
  _ affine: Bool, _ value: Int32, _ operands: UnsafeMutableRawPointer, _ index: Int
) {
  #if KERNELS_AVX2 || KERNELS_AVX512
    if !affine {
      operands.storeBytes(of: value, toByteOffset: index * 4, as: Int32.self)
      return
    }
  #endif
  operands.storeBytes(of: Float(value), toByteOffset: index * 4, as: Float.self)
}

/// Adds the products of weights `first..<first + count` to a tile's results.
func multiplyTile(
  _ type: UInt32, _ panel: UnsafeRawPointer, _ first: Int, _ count: Int, _ k: Int,
  _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>, _ tokens: Int,
  _ prepared: UnsafeMutableRawPointer
) {
  let size = subBlockSize(type)
  let operands = UnsafeRawPointer(prepared + tileTokens * 64)
  #if KERNELS_AVX2 || KERNELS_AVX512
    let activations = UnsafeRawPointer(q)
  #else
    let activations = operands + tokens * (k / 16) * 4
  #endif
  let tile = Tile(
    panel: panel, count: count, k: k, q: activations + first * bytesPerActivation,
    scales: UnsafeRawPointer(scales + first / 32), operands: operands + first / size * 4,
    results: prepared.assumingMemoryBound(to: Float.self))
  multiplyTile(type, tile, tokens)
}

@inline(__always)
func broadcastFloat(_ pointer: UnsafeRawPointer) -> SIMD16<Float> {
  SIMD16(repeating: pointer.loadUnaligned(as: Float.self))
}

@inline(__always)
func broadcastFloat8(_ pointer: UnsafeRawPointer) -> SIMD8<Float> {
  SIMD8(repeating: pointer.loadUnaligned(as: Float.self))
}
