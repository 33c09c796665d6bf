// Sums of cached values weighted by the softmax of one or four heads.

@inline(never)
func mixFourHalf(
  _ weights: UnsafePointer<Float>, _ positions: Int, _ values: UnsafeRawPointer, _ rowBytes: Int,
  _ headDim: Int, _ out: UnsafeMutablePointer<Float>
) {
  mix(4, true, weights, positions, values, rowBytes, headDim, out)
}

@inline(never)
func mixFourFloat(
  _ weights: UnsafePointer<Float>, _ positions: Int, _ values: UnsafeRawPointer, _ rowBytes: Int,
  _ headDim: Int, _ out: UnsafeMutablePointer<Float>
) {
  mix(4, false, weights, positions, values, rowBytes, headDim, out)
}

@inline(never)
func mixOneHalf(
  _ weights: UnsafePointer<Float>, _ positions: Int, _ values: UnsafeRawPointer, _ rowBytes: Int,
  _ headDim: Int, _ out: UnsafeMutablePointer<Float>
) {
  mix(1, true, weights, positions, values, rowBytes, headDim, out)
}

@inline(never)
func mixOneFloat(
  _ weights: UnsafePointer<Float>, _ positions: Int, _ values: UnsafeRawPointer, _ rowBytes: Int,
  _ headDim: Int, _ out: UnsafeMutablePointer<Float>
) {
  mix(1, false, weights, positions, values, rowBytes, headDim, out)
}

/// Positions whose values are swept for all elements before the next ones are read.
private var sweptPositions: Int { 32 }

/// Inlined into each of the above, so that `heads` and `isHalf` are constants.
@inline(__always)
private func mix(
  _ heads: Int, _ isHalf: Bool, _ weights: UnsafePointer<Float>, _ positions: Int,
  _ values: UnsafeRawPointer, _ rowBytes: Int, _ headDim: Int, _ out: UnsafeMutablePointer<Float>
) {
  for i in 0..<(heads * headDim) { out[i] = 0 }
  let whole = headDim & ~15
  var first = 0
  while first < positions {
    let end = min(first + sweptPositions, positions)
    var i = 0
    while i < whole {
      var s0 = load16(out + i)
      var (s1, s2, s3) = (s0, s0, s0)
      if heads == 4 {
        s1 = load16(out + headDim + i)
        s2 = load16(out + headDim * 2 + i)
        s3 = load16(out + headDim * 3 + i)
      }
      for p in first..<end {
        let v = loadCached(values + p * rowBytes, i, isHalf)
        s0 = fused(v, SIMD16(repeating: weights[p]), s0)
        if heads == 4 {
          s1 = fused(v, SIMD16(repeating: weights[positions + p]), s1)
          s2 = fused(v, SIMD16(repeating: weights[positions * 2 + p]), s2)
          s3 = fused(v, SIMD16(repeating: weights[positions * 3 + p]), s3)
        }
      }
      store16(s0, out + i)
      if heads == 4 {
        store16(s1, out + headDim + i)
        store16(s2, out + headDim * 2 + i)
        store16(s3, out + headDim * 3 + i)
      }
      i += 16
    }
    while i < headDim {
      for h in 0..<heads {
        var sum = out[h * headDim + i]
        for p in first..<end {
          sum =
            sum + loadCachedElement(values + p * rowBytes, i, isHalf) * weights[h * positions + p]
        }
        out[h * headDim + i] = sum
      }
      i += 1
    }
    first = end
  }
}
