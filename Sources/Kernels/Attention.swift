/// Attention of the query heads that share one key/value head, over `positions` cached positions.
///
/// `queries` and `out` are [groupSize][headDim]; keys and values lie `kvStride` elements apart, half
/// precision (`isHalf`) or float. Scores are multiplied by `scale`, the softmax subtracts the exact
/// maximum. `scratch` holds groupSize * positions floats.
public func attend(
  _ queries: UnsafePointer<Float>, _ groupSize: Int, _ headDim: Int, _ keys: UnsafeRawPointer,
  _ values: UnsafeRawPointer, _ kvStride: Int, _ isHalf: Bool, _ positions: Int, _ scale: Float,
  _ out: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>
) {
  let rowBytes = kvStride * (isHalf ? 2 : 4)
  for p in 0..<positions {
    let key = keys + p * rowBytes
    for h in 0..<groupSize {
      var sum = SIMD16<Float>(repeating: 0)
      var i = 0
      while i < headDim {
        let count = min(16, headDim - i)
        sum += loadPartial(queries + h * headDim + i, count) * loadCached(key, i, count, isHalf)
        i += 16
      }
      scratch[h * positions + p] = laneSum(sum) * scale
    }
  }
  for h in 0..<groupSize { softmax(scratch + h * positions, positions) }
  for h in 0..<groupSize {
    var i = 0
    while i < headDim {
      let count = min(16, headDim - i)
      var sum = SIMD16<Float>(repeating: 0)
      for p in 0..<positions {
        let value = loadCached(values + p * rowBytes, i, count, isHalf)
        sum += value * scratch[h * positions + p]
      }
      storePartial(sum, out + h * headDim + i, count)
      i += 16
    }
  }
}

@inline(__always)
private func loadCached(
  _ row: UnsafeRawPointer, _ first: Int, _ count: Int, _ isHalf: Bool
) -> SIMD16<Float> {
  var lanes = SIMD16<Float>(repeating: 0)
  for l in 0..<count {
    lanes[l] =
      isHalf
      ? loadHalf(row, (first + l) * 2)
      : row.loadUnaligned(fromByteOffset: (first + l) * 4, as: Float.self)
  }
  return lanes
}

/// Softmax in place; NaN anywhere makes every value NaN.
public func softmax(_ x: UnsafeMutablePointer<Float>, _ count: Int) {
  let whole = count & ~15
  var largest = SIMD16<Float>(repeating: -.infinity)
  var i = 0
  while i < whole {
    largest = larger(largest, load16(x + i))
    i += 16
  }
  var maximum = laneMaximum(largest)
  while i < count {
    if x[i] > maximum { maximum = x[i] }
    i += 1
  }
  var sums = SIMD16<Float>(repeating: 0)
  i = 0
  while i < whole {
    let power = exponential(load16(x + i) - maximum)
    store16(power, x + i)
    sums += power
    i += 16
  }
  var sum = laneSum(sums)
  if whole < count {
    let rest = count - whole
    let power = exponential(loadPartial(x + whole, rest) - maximum)
    for l in 0..<rest {
      x[whole + l] = power[l]
      sum = sum + power[l]
    }
  }
  let factor = 1 / sum
  i = 0
  while i < count {
    x[i] = x[i] * factor
    i += 1
  }
}
