// Scores of one or four query heads against cached keys: lane sums of sixteen positions are formed
// together.

@inline(never)
func scoreFourHalf(
  _ queries: UnsafePointer<Float>, _ headDim: Int, _ keys: UnsafeRawPointer, _ rowBytes: Int,
  _ positions: Int, _ scale: Float, _ scores: UnsafeMutablePointer<Float>
) {
  score(4, true, queries, headDim, keys, rowBytes, positions, scale, scores)
}

@inline(never)
func scoreFourFloat(
  _ queries: UnsafePointer<Float>, _ headDim: Int, _ keys: UnsafeRawPointer, _ rowBytes: Int,
  _ positions: Int, _ scale: Float, _ scores: UnsafeMutablePointer<Float>
) {
  score(4, false, queries, headDim, keys, rowBytes, positions, scale, scores)
}

@inline(never)
func scoreOneHalf(
  _ queries: UnsafePointer<Float>, _ headDim: Int, _ keys: UnsafeRawPointer, _ rowBytes: Int,
  _ positions: Int, _ scale: Float, _ scores: UnsafeMutablePointer<Float>
) {
  score(1, true, queries, headDim, keys, rowBytes, positions, scale, scores)
}

@inline(never)
func scoreOneFloat(
  _ queries: UnsafePointer<Float>, _ headDim: Int, _ keys: UnsafeRawPointer, _ rowBytes: Int,
  _ positions: Int, _ scale: Float, _ scores: UnsafeMutablePointer<Float>
) {
  score(1, false, queries, headDim, keys, rowBytes, positions, scale, scores)
}

/// Products of up to four heads with sixteen positions, one vector each: [head][position][16].
private typealias ProductBuffer = (
  SIMD64<Float>, SIMD64<Float>, SIMD64<Float>, SIMD64<Float>,
  SIMD64<Float>, SIMD64<Float>, SIMD64<Float>, SIMD64<Float>,
  SIMD64<Float>, SIMD64<Float>, SIMD64<Float>, SIMD64<Float>,
  SIMD64<Float>, SIMD64<Float>, SIMD64<Float>, SIMD64<Float>
)

/// Inlined into each of the above, so that `heads` and `isHalf` are constants.
@inline(__always)
private func score(
  _ heads: Int, _ isHalf: Bool, _ queries: UnsafePointer<Float>, _ headDim: Int,
  _ keys: UnsafeRawPointer, _ rowBytes: Int, _ positions: Int, _ scale: Float,
  _ scores: UnsafeMutablePointer<Float>
) {
  let zero = SIMD64<Float>()
  var buffer: ProductBuffer = (
    zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero
  )
  withUnsafeMutablePointer(to: &buffer) { pointer in
    let products = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self)
    var first = 0
    while first < positions {
      let count = min(16, positions - first)
      for p in 0..<count {
        let key = keys + (first + p) * rowBytes
        multiplyKey(heads, isHalf, queries, headDim, key, products + p * 16)
      }
      for h in 0..<heads {
        let sums = laneSums(products + h * 256) * scale
        let to = scores + h * positions + first
        if count == 16 { store16(sums, to) } else { storePartial(sums, to, count) }
      }
      first += count
    }
  }
}

/// Products of one key with up to four heads, summed over steps of sixteen elements.
@inline(__always)
private func multiplyKey(
  _ heads: Int, _ isHalf: Bool, _ queries: UnsafePointer<Float>, _ headDim: Int,
  _ key: UnsafeRawPointer, _ products: UnsafeMutablePointer<Float>
) {
  let whole = headDim & ~15
  var s0 = SIMD16<Float>(repeating: 0)
  var (s1, s2, s3) = (s0, s0, s0)
  var i = 0
  while i < whole {
    let k = loadCached(key, i, isHalf)
    s0 = fused(load16(queries + i), k, s0)
    if heads == 4 {
      s1 = fused(load16(queries + headDim + i), k, s1)
      s2 = fused(load16(queries + headDim * 2 + i), k, s2)
      s3 = fused(load16(queries + headDim * 3 + i), k, s3)
    }
    i += 16
  }
  if whole < headDim {
    let rest = headDim - whole
    let k = loadCachedPartial(key, whole, rest, isHalf)
    s0 = fused(loadPartial(queries + whole, rest), k, s0)
    if heads == 4 {
      s1 = fused(loadPartial(queries + headDim + whole, rest), k, s1)
      s2 = fused(loadPartial(queries + headDim * 2 + whole, rest), k, s2)
      s3 = fused(loadPartial(queries + headDim * 3 + whole, rest), k, s3)
    }
  }
  store16(s0, products)
  if heads == 4 {
    store16(s1, products + 256)
    store16(s2, products + 512)
    store16(s3, products + 768)
  }
}

/// The lane sums of sixteen vectors, in the order of `laneSum`.
@inline(__always)
private func laneSums(_ v: UnsafePointer<Float>) -> SIMD16<Float> {
  let a = sums4(v)
  let b = sums4(v + 64)
  let c = sums4(v + 128)
  let d = sums4(v + 192)
  // Each vector holds four lanes of each of four positions: add the halves, then the pairs.
  let (ab, cd) = (addHalves(a, b), addHalves(c, d))
  let pairs = SIMD32<Float>(lowHalf: ab, highHalf: cd)
  return pairs.evenHalf + pairs.oddHalf
}

/// Adds quarters of four vectors: [4 vectors][4 lanes].
@inline(__always)
private func sums4(_ v: UnsafePointer<Float>) -> SIMD16<Float> {
  let (a, b) = (load16(v), load16(v + 16))
  let (c, d) = (load16(v + 32), load16(v + 48))
  let ab =
    SIMD16(lowHalf: a.lowHalf, highHalf: b.lowHalf)
    + SIMD16(lowHalf: a.highHalf, highHalf: b.highHalf)
  let cd =
    SIMD16(lowHalf: c.lowHalf, highHalf: d.lowHalf)
    + SIMD16(lowHalf: c.highHalf, highHalf: d.highHalf)
  return quarters(ab, cd, false) + quarters(ab, cd, true)
}

/// The lower or upper four lanes of each half of both vectors.
@inline(__always)
private func quarters(
  _ a: SIMD16<Float>, _ b: SIMD16<Float>, _ upper: Bool
) -> SIMD16<Float> {
  upper
    ? SIMD16(
      lowHalf: SIMD8(lowHalf: a.lowHalf.highHalf, highHalf: a.highHalf.highHalf),
      highHalf: SIMD8(lowHalf: b.lowHalf.highHalf, highHalf: b.highHalf.highHalf))
    : SIMD16(
      lowHalf: SIMD8(lowHalf: a.lowHalf.lowHalf, highHalf: a.highHalf.lowHalf),
      highHalf: SIMD8(lowHalf: b.lowHalf.lowHalf, highHalf: b.highHalf.lowHalf))
}

/// Adds lanes 2 and 3 of each four to lanes 0 and 1: [8][2 lanes].
@inline(__always)
private func addHalves(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> SIMD16<Float> {
  let pairs = SIMD16<UInt64>(
    lowHalf: unsafeBitCast(a, to: SIMD8<UInt64>.self),
    highHalf: unsafeBitCast(b, to: SIMD8<UInt64>.self))
  return unsafeBitCast(pairs.evenHalf, to: SIMD16<Float>.self)
    + unsafeBitCast(pairs.oddHalf, to: SIMD16<Float>.self)
}
