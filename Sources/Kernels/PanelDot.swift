// What the panel kernels of all instruction sets have in common. A tile is a handful of tokens
// multiplied together; its working memory ("prepared") is
//   results  [tileTokens][16 rows] floats, running sums
//   operands per token and sub-block: the start value of the integer sum (-offset * sum of q) or,
//            for affine types, the sum of q as a float

/// Bytes of `count` packed weights of sixteen rows.
@inline(__always)
func panelBytes(_ type: UInt32, _ count: Int) -> Int {
  let size = subBlockSize(type)
  return count / size * packedBytes(size, isAffine(type))
}

#if true
  /// The largest panel of any type, rows of `k` weights: affine with sub-blocks of 16.
  func panelBytes(_ k: Int) -> Int { k * 24 }

  func preparedBytes(_ k: Int) -> Int { tileTokens * (64 + k / 16 * 4) }

  /// Computes the operands of a tile.
  func prepareTile(
    _ type: UInt32, _ q: UnsafePointer<Int8>, _ scales: UnsafePointer<Float>,
    _ sums: UnsafePointer<Int32>, _ k: Int, _ tokens: Int, _ prepared: UnsafeMutableRawPointer
  ) {
    let starts = (prepared + tileTokens * 64).assumingMemoryBound(to: Int32.self)
    let floats = (prepared + tileTokens * 64).assumingMemoryBound(to: Float.self)
    let offset = byteOffset(type)
    let count = tokens * (k / 16)
    switch (subBlockSize(type) == 16, isAffine(type)) {
    case (true, false): for i in 0..<count { starts[i] = 0 &- offset &* sums[i] }
    case (true, true): for i in 0..<count { floats[i] = Float(sums[i]) }
    case (false, false):
      for i in 0..<(count / 2) { starts[i] = 0 &- offset &* (sums[2 * i] &+ sums[2 * i + 1]) }
    case (false, true):
      for i in 0..<(count / 2) { floats[i] = Float(sums[2 * i] &+ sums[2 * i + 1]) }
    }
  }
#endif
